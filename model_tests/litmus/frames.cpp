// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

#include "ordeal/coro/detached.hpp"

#include <coroutine>
#include <exception>

namespace ordeal::model_tests {

namespace {

// A coroutine that frees nothing by itself; every change of hands goes through the policy.
template <class P>
struct bare_coroutine {
    struct promise_type {
        struct at_end {
            [[nodiscard]] bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> self) const noexcept {
                [[maybe_unused]] const typename P::continuation suspended(self);
            }
            void await_resume() const noexcept {}
        };
        bare_coroutine get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        at_end final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }
    };
};

// Suspends and hands its frame's address to an atomic.
template <class P>
struct hand_over {
    typename P::template atomic<void*>& to;
    std::memory_order with;

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> self) const noexcept {
        auto& target = to;  // *this may be gone after the store
        const typename P::continuation suspended(self);
        target.store(suspended.address(), with);
    }
    void await_resume() const noexcept {}
};

template <std::memory_order Store>
struct resumed_elsewhere {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<void*> waiting{nullptr};
        int ended = 0;

        void run(int thread) {
            if (thread == 0) {
                suspend();
            } else if (void* const frame = waiting.exchange(nullptr, acquire)) {
                P::continuation::from_address(frame).resume();
            }
        }
        detached suspend() {
            co_await hand_over<P>{waiting, Store};
            ended = 1;
        }
        void finish() {
            if (void* const frame = waiting.load(relaxed)) P::continuation::from_address(frame).destroy();
        }
        [[nodiscard]] std::string outcome() const { return values(ended); }
    };
};

template <std::memory_order Store>
struct destroyed_elsewhere {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<void*> waiting{nullptr};
        int destroyed = 0;

        void run(int thread) {
            if (thread == 0) {
                suspend();
            } else if (void* const frame = waiting.exchange(nullptr, acquire)) {
                P::continuation::from_address(frame).destroy();
                destroyed = 1;
            }
        }
        detached suspend() { co_await hand_over<P>{waiting, Store}; }
        void finish() {
            if (void* const frame = waiting.load(relaxed)) P::continuation::from_address(frame).destroy();
        }
        [[nodiscard]] std::string outcome() const { return values(destroyed); }
    };
};

enum class misuse { resume_at_end, resume_while_running, destroy_while_running, destroy_twice, forget };

template <misuse What>
struct misused {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"only"};
        typename P::template atomic<void*> waiting{nullptr};

        [[nodiscard]] typename P::continuation frame() { return P::continuation::from_address(waiting.load(relaxed)); }
        void run(int) {
            suspend();
            if constexpr (What == misuse::forget) return;
            if constexpr (What == misuse::destroy_twice) {
                frame().destroy();
                frame().destroy();
            } else {
                frame().resume();
                if constexpr (What == misuse::resume_at_end) frame().resume();
            }
        }
        bare_coroutine<P> suspend() {
            co_await hand_over<P>{waiting, relaxed};
            if constexpr (What == misuse::resume_while_running) frame().resume();
            if constexpr (What == misuse::destroy_while_running) frame().destroy();
        }
    };
};

// Two threads resume one coroutine that was suspended before either began.
template <class P>
struct resumed_by_both {
    static constexpr auto threads = two_threads;
    typename P::template atomic<void*> waiting{nullptr};

    resumed_by_both() { suspend(); }
    void run(int) { P::continuation::from_address(waiting.load(acquire)).resume(); }
    bare_coroutine<P> suspend() { co_await hand_over<P>{waiting, release}; }
};

}  // namespace

litmus_table frames() {
    const outcome_set either{"0", "1"};
    const outcome_set misused_frame{"frame misuse"};
    return {
        "Coroutine frames",
        "Whether the second thread resumed or destroyed the coroutine that the first one suspended.",
        "[coroutine.handle.resumption]; [intro.races].",
        {agrees<resumed_elsewhere<release>::test>("resumed after a release store", either),
         agrees<resumed_elsewhere<relaxed>::test>("resumed after a relaxed store", {"data race"}),
         agrees<destroyed_elsewhere<release>::test>("destroyed after a release store", either),
         agrees<destroyed_elsewhere<relaxed>::test>("destroyed after a relaxed store", {"unsynchronised destruction"}),
         agrees<resumed_by_both>("resumed by two threads", {"data race"}),
         agrees<misused<misuse::resume_at_end>::test>("resumed after its end", misused_frame),
         agrees<misused<misuse::resume_while_running>::test>("resumed while it runs", misused_frame),
         agrees<misused<misuse::destroy_while_running>::test>("destroyed while it runs", misused_frame),
         agrees<misused<misuse::destroy_twice>::test>("destroyed twice", {"double free"}),
         agrees<misused<misuse::forget>::test>("never destroyed", {"leak"})}};
}

}  // namespace ordeal::model_tests
