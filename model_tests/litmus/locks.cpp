// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

#include <mutex>
#include <optional>

namespace ordeal::model_tests {

namespace {

template <class P>
struct guarded {
    static constexpr auto threads = two_threads;
    typename P::mutex mutex;
    typename P::template cell<int> count{0};

    [[nodiscard]] std::string outcome() const { return values(count.read()); }
};

template <class P>
struct both_lock : guarded<P> {
    void run(int) {
        const std::lock_guard lock(this->mutex);
        ++this->count.write();
    }
};

template <class P>
struct one_locks : guarded<P> {
    void run(int thread) {
        std::unique_lock lock(this->mutex, std::defer_lock);
        if (thread == 0) lock.lock();
        ++this->count.write();
    }
};

template <class P>
struct different_locks : guarded<P> {
    typename P::mutex other;
    void run(int thread) {
        const std::lock_guard lock(thread == 0 ? this->mutex : other);
        ++this->count.write();
    }
};

template <class P>
struct try_to_lock : guarded<P> {
    void run(int) {
        if (!this->mutex.try_lock()) return;
        ++this->count.write();
        this->mutex.unlock();
    }
};

template <class P>
struct try_to_lock_ignored : guarded<P> {
    void run(int) {
        const bool locked = this->mutex.try_lock();
        ++this->count.write();
        if (locked) this->mutex.unlock();
    }
};

template <class P>
struct locked_twice : guarded<P> {
    void run(int thread) {
        if (thread == 1) return;
        this->mutex.lock();
        this->mutex.lock();
    }
};

template <class P>
struct never_unlocked : guarded<P> {
    void run(int) { this->mutex.lock(); }
};

template <class P>
struct unlocked_by_the_other : guarded<P> {
    typename P::template atomic<int> locked{0};
    void run(int thread) {
        if (thread == 0) {
            this->mutex.lock();
            locked.store(1, release);
        } else if (locked.load(acquire) == 1) {
            this->mutex.unlock();
        }
    }
};

template <class P>
struct not_locked : guarded<P> {
    void run(int) { this->mutex.unlock(); }
};

template <class P>
struct destroyed_locked {
    static constexpr auto threads = std::array{"only"};
    std::optional<typename P::mutex> mutex{std::in_place};
    void run(int) {
        mutex->lock();
        mutex.reset();
    }
};

// A lock made of an atomic.
template <std::memory_order Lock, std::memory_order Unlock>
struct spin_lock {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> locked{0};
        typename P::template cell<int> count{0};

        void run(int) {
            while (locked.exchange(1, Lock) == 1) P::yield();
            ++count.write();
            locked.store(0, Unlock);
        }
        [[nodiscard]] std::string outcome() const { return values(count.read()); }
    };
};

}  // namespace

litmus_table locks() {
    return {
        "Mutexes",
        "The count of increments of a cell. C++20 lets a try_lock fail on a mutex that nobody has locked.",
        "[thread.mutex.requirements.mutex].",
        {agrees<both_lock>("two threads lock", {"2"}), agrees<one_locks>("one of two locks", {"data race"}),
         agrees<different_locks>("each locks its own", {"data race"}),
         differs<try_to_lock>(
             "try_lock, obeyed", {"0", "1", "2"}, {"1", "2"},
             {"Limit: a try_lock fails spuriously at most once for each mutex.", "a try_lock fails spuriously"}),
         agrees<try_to_lock_ignored>("try_lock, not obeyed", {"data race"}),
         agrees<locked_twice>("locked twice by one thread", {"deadlock"}),
         agrees<never_unlocked>("never unlocked", {"deadlock"}),
         agrees<unlocked_by_the_other>("unlocked by another thread", {"precondition"}),
         agrees<not_locked>("unlocked without a lock", {"precondition"}),
         agrees<destroyed_locked>("destroyed while locked", {"precondition"}),
         agrees<spin_lock<acquire, release>::test>("a lock of exchange(acquire) and store(release)", {"2"}),
         agrees<spin_lock<relaxed, release>::test>("a lock of exchange(relaxed) and store(release)", {"data race"}),
         agrees<spin_lock<acquire, relaxed>::test>("a lock of exchange(acquire) and store(relaxed)", {"data race"})}};
}

}  // namespace ordeal::model_tests
