// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/exhibits/transition_log.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/require.hpp"

#include <atomic>
#include <cstdint>

namespace ordeal::exhibits {

/// The word that a coroutine and its owner share instead of a reference count, without the two operations that the
/// designs below write each in its own way.
///
///   from \ call | register_awaiter(w)          | complete            | abandon
///   ------------+------------------------------+---------------------+-------------------
///   running     | awaiting(w), suspends        | completed           | abandoned
///   completed   | awaiting(w), does not suspend| -                   | abandoned; frees
///   awaiting(w) | -                            | completed; resumes w| abandoned; frees
///   abandoned   | -                            | completed; frees    | -
///
/// In the second row registering hides `completed`. So in the third row abandon cannot tell a coroutine that has ended
/// from one that still runs, and frees both.
///
/// Source: R. Chen, "C++ coroutines: Getting rid of our reference count" (2021).
template <atomic_policy P>
class state_word {
public:
    static constexpr std::uintptr_t running = 0;
    static constexpr std::uintptr_t completed = 1;
    static constexpr std::uintptr_t abandoned = 2;

    [[nodiscard]] static phase phase_of(std::uintptr_t word) noexcept {
        if (word == running) return phase::started;
        if (word == completed) return phase::completed;
        return word == abandoned ? phase::abandoned : phase::awaiting;
    }

    [[nodiscard]] bool ready() const noexcept {
        // order: acquire <- complete: the result, read by an awaiter that does not suspend.
        const std::uintptr_t state = state_.load(std::memory_order_acquire);
        require(state == running || state == completed, "the ready check finds the coroutine running or completed");
        return state != running;
    }

    /// Returns the word before.
    [[nodiscard]] std::uintptr_t register_awaiter(typename P::continuation awaiting) noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(awaiting.address());
        // order: release -> complete: the frame of the awaiting coroutine, which complete() resumes.
        //        acquire <- complete: the result, when the coroutine has completed since the ready check.
        return state_.exchange(address, std::memory_order_acq_rel);
    }

protected:
    typename P::template atomic<std::uintptr_t> state_{running};
};

/// The orders as published.
template <atomic_policy P>
class printed_word : public state_word<P> {
public:
    [[nodiscard]] std::uintptr_t complete() noexcept {
        // order: release -> ready, register_awaiter, abandon: the result. acquire <- register_awaiter: the frame to
        //        resume.
        return this->state_.exchange(this->completed, std::memory_order_acq_rel);
    }
    [[nodiscard]] std::uintptr_t abandon() noexcept {
        // order: acquire <- complete: the frame about to be destroyed. No release, as published: the owner is said to
        //        have changed nothing that the coroutine would have to see.
        return this->state_.exchange(this->abandoned, std::memory_order_acquire);
    }
};

/// As published, but abandoning releases: the repair.
template <atomic_policy P>
class releasing_abandon_word : public state_word<P> {
public:
    [[nodiscard]] std::uintptr_t complete() noexcept {
        // order: release -> ready, register_awaiter, abandon: the result. acquire <- register_awaiter: the frame to
        //        resume; and <- abandon: the owner's last use of the word, about to be destroyed.
        return this->state_.exchange(this->completed, std::memory_order_acq_rel);
    }
    [[nodiscard]] std::uintptr_t abandon() noexcept {
        // order: acquire <- complete: the frame about to be destroyed. release -> complete: this very access, which has
        //        to be over before the coroutine destroys the word.
        return this->state_.exchange(this->abandoned, std::memory_order_acq_rel);
    }
};

/// A bug: completing does not acquire.
template <atomic_policy P>
class complete_without_acquire_word : public state_word<P> {
public:
    [[nodiscard]] std::uintptr_t complete() noexcept {
        // order: release -> ready, register_awaiter: the result. Too weak: nothing orders the frame to resume.
        return this->state_.exchange(this->completed, std::memory_order_release);
    }
    [[nodiscard]] std::uintptr_t abandon() noexcept {
        // order: acquire <- complete: the frame about to be destroyed. release -> complete: the owner's last use.
        return this->state_.exchange(this->abandoned, std::memory_order_acq_rel);
    }
};

/// A bug: completing does not release.
template <atomic_policy P>
class complete_without_release_word : public state_word<P> {
public:
    [[nodiscard]] std::uintptr_t complete() noexcept {
        // order: acquire <- register_awaiter: the frame to resume. Too weak: nothing hands over the result.
        return this->state_.exchange(this->completed, std::memory_order_acquire);
    }
    [[nodiscard]] std::uintptr_t abandon() noexcept {
        // order: acquire <- complete: the frame about to be destroyed. release -> complete: the owner's last use.
        return this->state_.exchange(this->abandoned, std::memory_order_acq_rel);
    }
};

}  // namespace ordeal::exhibits
