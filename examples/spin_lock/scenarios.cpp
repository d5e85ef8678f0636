// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spin_lock.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <mutex>

namespace examples {
namespace {

struct two_threads_count {
    static constexpr auto about = "Is what one holder does under the lock ordered before what the next one does?";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
    spin_lock lock;
    int count = 0;

    void run(int /*thread*/) {
        const std::scoped_lock guard(lock);
        ++count;
    }
    void finish() { ordeal::require(count == 2, "no increment is lost"); }
};
ORDEAL_SCENARIO("spin_lock/two_threads_count", two_threads_count);

struct three_threads_count {
    static constexpr auto about = "The same with three threads: one waits for a holder who waits himself.";
    static constexpr auto threads = std::array{"first", "second", "third"};
    static constexpr auto interchangeable = std::array{0, 1, 2};
    spin_lock lock;
    int count = 0;

    void run(int /*thread*/) {
        const std::scoped_lock guard(lock);
        ++count;
    }
    void finish() { ordeal::require(count == 3, "no increment is lost"); }
};
ORDEAL_SCENARIO("spin_lock/three_threads_count", three_threads_count);

struct try_lock_against_lock {
    static constexpr auto about = "Does a thread that only tries, and one that waits, keep each other out?";
    static constexpr auto threads = std::array{"waits", "tries"};
    spin_lock lock;
    int count = 0;
    bool tried = false;

    void run(int thread) {
        if (thread == 0) {
            const std::scoped_lock guard(lock);
            ++count;
        } else if (lock.try_lock()) {
            ++count;
            lock.unlock();
            tried = true;
        }
    }
    void finish() { ordeal::require(count == (tried ? 2 : 1), "who entered has counted"); }
    [[nodiscard]] int outcome() const { return count; }
};
ORDEAL_SCENARIO("spin_lock/try_lock_against_lock", try_lock_against_lock);

}  // namespace
}  // namespace examples
