// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks of one's own.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <thread>

namespace ordeal::model_tests {

namespace {

template <std::memory_order Lock, std::memory_order Unlock>
class flag_lock {
public:
    void lock(int /*thread*/) noexcept {
        while (flag_.test_and_set(Lock)) {
        }
    }
    void unlock(int /*thread*/) noexcept { flag_.clear(Unlock); }

private:
    std::atomic_flag flag_;
};

// Looks before it tries, and lets others go on.
class polite_lock {
public:
    void lock(int /*thread*/) noexcept {
        while (locked_.exchange(true, acquire)) {
            while (locked_.load(relaxed)) std::this_thread::yield();
        }
    }
    void unlock(int /*thread*/) noexcept { locked_.store(false, release); }

private:
    std::atomic<bool> locked_{false};
};

// Sleeps until it is its turn.
class sleeping_lock {
public:
    void lock(int /*thread*/) noexcept {
        while (locked_.test_and_set(acquire)) locked_.wait(true, relaxed);
    }
    void unlock(int /*thread*/) noexcept {
        locked_.clear(release);
        locked_.notify_one();
    }

private:
    std::atomic_flag locked_;
};

template <std::memory_order Wait, std::memory_order Unlock>
class ticket_lock {
public:
    void lock(int /*thread*/) noexcept {
        const unsigned own = next_.fetch_add(1, relaxed);
        while (served_.load(Wait) != own) {
        }
    }
    void unlock(int /*thread*/) noexcept { served_.store(served_.load(relaxed) + 1, Unlock); }

private:
    std::atomic<unsigned> next_{0};
    std::atomic<unsigned> served_{0};
};

// Peterson's, for two.
template <std::memory_order Store, std::memory_order Load>
class peterson_lock {
public:
    void lock(int thread) noexcept {
        const auto self = static_cast<std::size_t>(thread);
        wants_[self].store(true, Store);
        turn_.store(1 - thread, Store);
        while (wants_[1 - self].load(Load) && turn_.load(Load) != thread) {
        }
    }
    void unlock(int thread) noexcept { wants_[static_cast<std::size_t>(thread)].store(false, Store); }

private:
    std::array<std::atomic<bool>, 2> wants_{};
    std::atomic<int> turn_{0};
};

template <class Lock>
struct locked_counter {
    static constexpr auto threads = std::array{"counts", "counts"};
    Lock lock;
    int counter = 0;

    void run(int thread) {
        lock.lock(thread);
        ++counter;
        lock.unlock(thread);
    }
    void finish() const { require(counter == 2); }
};

// An early return that leaves the lock locked: whoever comes second turns for ever.
template <class Lock>
struct unlock_is_forgotten {
    static constexpr auto threads = std::array{"counts", "counts"};
    Lock lock;
    int counter = 0;

    void run(int thread) {
        lock.lock(thread);
        if (++counter > 0) return;
        lock.unlock(thread);
    }
};

// Dekker's entrance: each announces itself and then looks for the other. At most one enters, or none.
template <std::memory_order Store, std::memory_order Load, bool Fence>
struct dekker_entrance {
    static constexpr auto threads = std::array{"enters", "enters"};
    std::array<std::atomic<bool>, 2> wants{};
    std::array<bool, 2> entered{};

    void run(int thread) {
        const auto self = static_cast<std::size_t>(thread);
        wants[self].store(true, Store);
        if (Fence) std::atomic_thread_fence(seq_cst);
        entered[self] = !wants[1 - self].load(Load);
    }
    void finish() const { require(!entered[0] || !entered[1], "at most one enters"); }
};

template <class Lock>
using racy_lock = wrong<locked_counter<Lock>, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/spin_lock", locked_counter<flag_lock<acquire, release>>);
ORDEAL_SCENARIO("programs/spin_lock_polite", locked_counter<polite_lock>);
ORDEAL_SCENARIO("programs/spin_lock_sleeping", locked_counter<sleeping_lock>);
ORDEAL_SCENARIO("programs/spin_lock_unlock_relaxed", racy_lock<flag_lock<acquire, relaxed>>);
ORDEAL_SCENARIO("programs/spin_lock_lock_relaxed", racy_lock<flag_lock<relaxed, release>>);
ORDEAL_SCENARIO("programs/spin_lock_unlock_forgotten",
                wrong<unlock_is_forgotten<flag_lock<acquire, release>>, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/spin_lock_sleeping_unlock_forgotten",
                wrong<unlock_is_forgotten<sleeping_lock>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/ticket_lock", locked_counter<ticket_lock<acquire, release>>);
ORDEAL_SCENARIO("programs/ticket_lock_wait_relaxed", racy_lock<ticket_lock<relaxed, release>>);
ORDEAL_SCENARIO("programs/ticket_lock_unlock_relaxed", racy_lock<ticket_lock<acquire, relaxed>>);
ORDEAL_SCENARIO("programs/peterson_lock", locked_counter<peterson_lock<seq_cst, seq_cst>>);
ORDEAL_SCENARIO("programs/peterson_lock_acquire_release", racy_lock<peterson_lock<release, acquire>>);
ORDEAL_SCENARIO("programs/dekker_seq_cst", dekker_entrance<seq_cst, seq_cst, false>);
ORDEAL_SCENARIO("programs/dekker_fences", dekker_entrance<relaxed, relaxed, true>);
ORDEAL_SCENARIO("programs/dekker_acquire_release",
                wrong<dekker_entrance<release, acquire, false>, violation_kind::failed_requirement>);

}  // namespace

}  // namespace ordeal::model_tests
