// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coroutine_mutex.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace examples {
namespace {

template <ordeal::atomic_policy P>
struct counter {
    coroutine_mutex<P> mutex;
    typename P::template cell<int> count{0};

    ordeal::detached increment() {
        co_await mutex.lock();
        ++count.write();
        mutex.unlock();
    }
};

template <ordeal::atomic_policy P>
struct two_coroutines {
    static constexpr auto about = "Two coroutines count: no increment is lost, and both end.";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
    counter<P> shared;

    void run(int /*thread*/) { shared.increment(); }
    void finish() { ordeal::require(shared.count.read() == 2); }
};
ORDEAL_SCENARIO("coroutine_mutex/two_coroutines", two_coroutines);

template <ordeal::atomic_policy P>
struct three_coroutines {
    static constexpr auto about =
        "Three coroutines count: an owner finds waiters that it was handed over with the lock.";
    static constexpr auto threads = std::array{"first", "second", "third"};
    static constexpr auto interchangeable = std::array{0, 1, 2};
    counter<P> shared;

    void run(int /*thread*/) { shared.increment(); }
    void finish() { ordeal::require(shared.count.read() == 3); }
};
ORDEAL_SCENARIO("coroutine_mutex/three_coroutines", three_coroutines);

template <ordeal::atomic_policy P>
struct last_owner_destroys {
    static constexpr auto about =
        "The second owner destroys the mutex after its unlock(): may the first one's still run?";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
    counter<P>* shared = new counter<P>;

    void run(int /*thread*/) { increment_and_destroy(*shared); }
    static ordeal::detached increment_and_destroy(counter<P>& shared) {
        co_await shared.mutex.lock();
        const bool last = ++shared.count.write() == 2;
        shared.mutex.unlock();
        if (last) delete &shared;
    }
};
ORDEAL_SCENARIO("coroutine_mutex/last_owner_destroys", last_owner_destroys);

template <ordeal::atomic_policy P>
struct try_against_wait {
    static constexpr auto about = "A thread that only tries, and a coroutine that waits, keep each other out.";
    static constexpr auto threads = std::array{"waits", "tries"};
    counter<P> shared;
    bool tried = false;

    void run(int thread) {
        if (thread == 0) {
            shared.increment();
        } else if (shared.mutex.try_lock()) {
            tried = true;
            ++shared.count.write();
            shared.mutex.unlock();
        }
    }
    void finish() { ordeal::require(shared.count.read() == (tried ? 2 : 1)); }
    [[nodiscard]] int outcome() const { return tried ? 1 : 0; }
};
ORDEAL_SCENARIO("coroutine_mutex/try_against_wait", try_against_wait);

}  // namespace
}  // namespace examples
