// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dekker_lock.hpp"
#include "peterson_lock.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace examples {
namespace {

// The first thread takes the lock `First` times, the other one `Second` times.
template <class Lock, int First, int Second>
struct counted {
    static constexpr auto threads = std::array{"first", "second"};
    Lock lock;
    int count = 0;

    void run(int thread) {
        for (int turns = thread == 0 ? First : Second; turns > 0; --turns) {
            lock.lock(thread);
            ++count;
            lock.unlock(thread);
        }
    }
    void finish() { ordeal::require(count == First + Second, "no increment is lost"); }
};

struct dekker_once : counted<dekker_lock, 1, 1> {
    static constexpr auto about = "Each enters once: one at a time, and ordered?";
};
ORDEAL_SCENARIO("dekker_lock/once", dekker_once);

struct dekker_twice : counted<dekker_lock, 1, 2> {
    static constexpr auto about = "One enters twice, and may come again before the other one has looked.";
};
ORDEAL_SCENARIO("dekker_lock/twice", dekker_twice);

struct peterson_once : counted<peterson_lock, 1, 1> {
    static constexpr auto about = "Each enters once: one at a time, and ordered?";
};
ORDEAL_SCENARIO("peterson_lock/once", peterson_once);

struct peterson_twice : counted<peterson_lock, 1, 2> {
    static constexpr auto about = "One enters twice, and may come again before the other one has looked.";
};
ORDEAL_SCENARIO("peterson_lock/twice", peterson_twice);

}  // namespace
}  // namespace examples
