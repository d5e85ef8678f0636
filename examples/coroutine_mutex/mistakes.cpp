// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this design, each with the violation that it must get. One flag of who has the lock and
// one place for a waiter are enough to show them.
#include "ordeal/coro/detached.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <coroutine>

namespace examples {
namespace {

// free = 1 | taken = 0 | the frame of the waiter
template <bool UnlockLooksAgain, bool PushReleases>
class small_mutex {
public:
    struct awaiter {
        small_mutex& mutex;

        [[nodiscard]] bool await_ready() const {
            char* expected = mutex.free();
            return mutex.state_.compare_exchange_strong(expected, nullptr, std::memory_order_acquire);
        }
        bool await_suspend(std::coroutine_handle<> awaiting) const {
            char* expected = nullptr;
            constexpr auto push = PushReleases ? std::memory_order_release : std::memory_order_relaxed;
            while (!mutex.state_.compare_exchange_weak(expected, static_cast<char*>(awaiting.address()), push,
                                                       std::memory_order_relaxed)) {
                if (expected == nullptr) continue;
                if (await_ready()) return false;
                expected = nullptr;
            }
            return true;
        }
        void await_resume() const {}
    };

    awaiter lock() { return {*this}; }
    void unlock() {
        if constexpr (!UnlockLooksAgain) {
            // Between the load and the store a waiter may come.
            if (state_.load(std::memory_order_acquire) == nullptr) {
                state_.store(free(), std::memory_order_release);
                return;
            }
        }
        char* expected = nullptr;
        if (state_.compare_exchange_strong(expected, free(), std::memory_order_acq_rel)) return;
        std::coroutine_handle<>::from_address(state_.exchange(nullptr, std::memory_order_acquire)).resume();
    }

private:
    char* free() { return reinterpret_cast<char*>(this); }

    std::atomic<char*> state_{free()};
};

template <class Mutex>
struct two_coroutines {
    static constexpr bool exhibit = true;
    static constexpr auto threads = std::array{"first", "second"};
    Mutex mutex;
    int count = 0;

    void run(int /*thread*/) { increment(); }
    ordeal::detached increment() {
        co_await mutex.lock();
        ++count;
        mutex.unlock();
    }
};

struct unlock_stores : two_coroutines<small_mutex<false, true>> {
    static constexpr auto about = "unlock() looks and then stores: a waiter that came in between is never resumed.";
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::leak);
};
ORDEAL_SCENARIO("coroutine_mutex_mistakes/unlock_stores", unlock_stores);

struct push_relaxed : two_coroutines<small_mutex<true, false>> {
    static constexpr auto about =
        "A waiter is pushed without release: its frame is resumed before it is seen suspended.";
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
};
ORDEAL_SCENARIO("coroutine_mutex_mistakes/push_relaxed", push_relaxed);

}  // namespace
}  // namespace examples
