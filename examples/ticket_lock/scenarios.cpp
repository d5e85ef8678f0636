// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ticket_lock.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <mutex>

namespace examples {
namespace {

template <int Threads>
struct counted {
    ticket_lock lock;
    int count = 0;

    void run(int /*thread*/) {
        const std::scoped_lock guard(lock);
        ++count;
    }
    void finish() { ordeal::require(count == Threads, "no increment is lost"); }
};

struct two_threads_count : counted<2> {
    static constexpr auto about = "Is what one holder does ordered before what the next one does?";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
};
ORDEAL_SCENARIO("ticket_lock/two_threads_count", two_threads_count);

struct three_threads_count : counted<3> {
    static constexpr auto about = "The same with three threads.";
    static constexpr auto threads = std::array{"first", "second", "third"};
    static constexpr auto interchangeable = std::array{0, 1, 2};
};
ORDEAL_SCENARIO("ticket_lock/three_threads_count", three_threads_count);

struct try_lock_against_lock {
    static constexpr auto about = "Do a thread that only tries and one that waits keep each other out?";
    static constexpr auto threads = std::array{"waits", "tries"};
    ticket_lock lock;
    int count = 0;
    bool entered = false;

    void run(int thread) {
        if (thread == 0) {
            const std::scoped_lock guard(lock);
            ++count;
        } else if (lock.try_lock()) {
            ++count;
            lock.unlock();
            entered = true;
        }
    }
    void finish() { ordeal::require(count == (entered ? 2 : 1), "no increment is lost"); }
    [[nodiscard]] int outcome() const { return count; }
};
ORDEAL_SCENARIO("ticket_lock/try_lock_against_lock", try_lock_against_lock);

struct one_thread_twice {
    static constexpr auto about = "One thread has two turns: where does the other one come in?";
    static constexpr auto threads = std::array{"twice", "once"};
    ticket_lock lock;
    int count = 0;
    int seen = 0;

    void run(int thread) {
        for (int turns = 2 - thread; turns > 0; --turns) {
            const std::scoped_lock guard(lock);
            if (thread == 1) seen = count;
            ++count;
        }
    }
    void finish() { ordeal::require(count == 3, "no increment is lost"); }
    [[nodiscard]] int outcome() const { return seen; }
};
ORDEAL_SCENARIO("ticket_lock/one_thread_twice", one_thread_twice);

}  // namespace
}  // namespace examples
