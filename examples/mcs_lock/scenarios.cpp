// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mcs_lock.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace examples {
namespace {

template <int Threads>
struct counted {
    mcs_lock lock;
    int count = 0;

    void run(int /*thread*/) {
        const mcs_lock::guard guard(lock);
        ++count;
    }
    void finish() { ordeal::require(count == Threads, "no increment is lost"); }
};

struct two_threads_count : counted<2> {
    static constexpr auto about = "Is what one holder does ordered before what the next one does?";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
};
ORDEAL_SCENARIO("mcs_lock/two_threads_count", two_threads_count);

struct three_threads_count : counted<3> {
    static constexpr auto about = "The same with three threads, two of which may be in the list at once.";
    static constexpr auto threads = std::array{"first", "second", "third"};
    static constexpr auto interchangeable = std::array{0, 1, 2};
};
ORDEAL_SCENARIO("mcs_lock/three_threads_count", three_threads_count);

struct one_thread_twice {
    static constexpr auto about = "One comes twice, with a place in the list at the same address.";
    static constexpr auto threads = std::array{"twice", "once"};
    mcs_lock lock;
    int count = 0;

    void run(int thread) {
        for (int turns = 2 - thread; turns > 0; --turns) {
            const mcs_lock::guard guard(lock);
            ++count;
        }
    }
    void finish() { ordeal::require(count == 3, "no increment is lost"); }
};
ORDEAL_SCENARIO("mcs_lock/one_thread_twice", one_thread_twice);

}  // namespace
}  // namespace examples
