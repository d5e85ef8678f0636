// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks that wait longer each time, and those that spin for a while and then sleep.
#include "model_tests/plain/programs/programs.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace ordeal::model_tests {

namespace {

inline void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    asm volatile("yield");
#endif
}

// Pauses for a while that is twice as long each time, and after some of those lets others go on.
class doubling_pause {
public:
    void operator()() noexcept {
        for (unsigned i = 0; i < length_; ++i) pause();
        if (length_ < 64) {
            length_ = std::min(2 * length_, 64U);
        } else {
            std::this_thread::yield();
        }
    }

private:
    unsigned length_ = 1;
};

// Pauses at first, and later lets others go on. Counts on for ever.
class counting_pause {
public:
    void operator()() noexcept {
        if (count_++ < 20) {
            pause();
        } else {
            if (count_ == 0) count_ = 20;
            std::this_thread::yield();
        }
    }

private:
    std::uint32_t count_ = 0;
};

// Pauses, then lets others go on, then sleeps, by a count.
class sleeping_pause {
public:
    void operator()() noexcept {
        const unsigned count = count_++;
        if (count < 4) {
            pause();
        } else if (count < 16 || count % 2 != 0) {
            sched_yield();
        } else {
            const timespec length{0, 1000};
            nanosleep(&length, nullptr);
        }
    }

private:
    unsigned count_ = 0;
};

// Pauses three times each time, and goes by a count that only changes in between.
class steady_pause {
public:
    void operator()() noexcept {
        for (int i = 0; i < 3; ++i) {
            if (count_ < 20) {
                pause();
            } else {
                sched_yield();
            }
        }
        ++count_;
    }

private:
    unsigned count_ = 0;
};

// As everybody sleeps.
class library_sleep {
public:
    void operator()() {
        if (count_++ < 5) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(count_));
        }
    }

private:
    unsigned count_ = 0;
};

// A source of requests to stop, with its callbacks in a list. One word has the lock of the list and the request.
template <class BackOff, std::memory_order Unlock, bool WaitsForCallback>
class stop_source {
public:
    class callback {
    public:
        callback(stop_source& source, int& calls) noexcept : source_(source), calls_(calls) {
            std::uint8_t before = 0;
            if (!source_.lock_unless_requested(locked, before)) {
                ++calls_;
                gone_ = true;
                return;
            }
            next_ = source_.first_;
            if (next_ != nullptr) next_->link_ = &next_;
            link_ = &source_.first_;
            source_.first_ = this;
            source_.unlock(before);
        }
        callback(const callback&) = delete;
        callback& operator=(const callback&) = delete;
        ~callback() { deregister(); }

        void deregister() noexcept {
            if (gone_) return;
            gone_ = true;
            const std::uint8_t before = source_.lock();
            const bool queued = link_ != nullptr;
            if (queued) {
                *link_ = next_;
                if (next_ != nullptr) next_->link_ = link_;
            }
            source_.unlock(before);
            if (queued || (before & requested) == 0 || !WaitsForCallback) return;
            BackOff wait;
            while (!done_.load(acquire)) wait();
        }

    private:
        friend class stop_source;

        stop_source& source_;
        int& calls_;
        callback* next_ = nullptr;
        callback** link_ = nullptr;
        std::atomic<bool> done_{false};
        bool gone_ = false;
    };

    // Whether this is the first request.
    bool request_stop() noexcept {
        std::uint8_t before = 0;
        if (!lock_unless_requested(locked | requested, before)) return false;
        while (first_ != nullptr) {
            callback& each = *first_;
            first_ = each.next_;
            if (first_ != nullptr) first_->link_ = &first_;
            each.link_ = nullptr;
            unlock(requested);
            ++each.calls_;
            each.done_.store(true, release);
            lock();
        }
        unlock(requested);
        return true;
    }

private:
    static constexpr std::uint8_t locked = 1;
    static constexpr std::uint8_t requested = 2;

    std::uint8_t lock() noexcept {
        BackOff wait;
        std::uint8_t seen = state_.load(relaxed);
        do {
            while ((seen & locked) != 0) {
                wait();
                seen = state_.load(relaxed);
            }
        } while (!state_.compare_exchange_weak(seen, seen | locked, acquire, relaxed));
        return seen;
    }
    bool lock_unless_requested(std::uint8_t then, std::uint8_t& before) noexcept {
        BackOff wait;
        std::uint8_t seen = state_.load(acquire);
        do {
            for (;;) {
                if ((seen & requested) != 0) return false;
                if (seen == 0) break;
                wait();
                seen = state_.load(acquire);
            }
        } while (!state_.compare_exchange_weak(seen, then, std::memory_order_acq_rel, acquire));
        before = seen;
        return true;
    }
    void unlock(std::uint8_t state) noexcept { state_.store(state, Unlock); }

    std::atomic<std::uint8_t> state_{0};
    callback* first_ = nullptr;
};

template <class BackOff, std::memory_order Unlock = release, bool WaitsForCallback = true>
struct deregisters_against_request {
    static constexpr auto threads = std::array{"requests", "deregisters"};
    using source_type = stop_source<BackOff, Unlock, WaitsForCallback>;
    source_type source;
    int calls = 0;
    typename source_type::callback callback{source, calls};

    void run(int thread) {
        if (thread == 0) {
            require(source.request_stop());
        } else {
            callback.deregister();
            require(calls < 2);
        }
    }
    [[nodiscard]] int outcome() const { return calls; }
};

template <class BackOff, std::memory_order Unlock = release, bool WaitsForCallback = true>
struct registers_against_request {
    static constexpr auto threads = std::array{"requests", "registers"};
    using source_type = stop_source<BackOff, Unlock, WaitsForCallback>;
    source_type source;
    int calls = 0;

    void run(int thread) {
        if (thread == 0) {
            require(source.request_stop());
        } else {
            {
                const typename source_type::callback callback(source, calls);
            }
            require(calls < 2);
        }
    }
    [[nodiscard]] int outcome() const { return calls; }
};

// Tries for some iterations, and sleeps where that did not help. 2: somebody sleeps.
template <int Iterations>
class patient_lock {
public:
    void lock() noexcept {
        for (int iteration = 0; iteration < Iterations; ++iteration) {
            int free = 0;
            if (state_.compare_exchange_strong(free, 1, acquire, relaxed)) return;
            pause();
        }
        while (state_.exchange(2, acquire) != 0) state_.wait(2, relaxed);
    }
    void unlock() noexcept {
        if (state_.exchange(0, release) == 2) state_.notify_one();
    }

private:
    std::atomic<int> state_{0};
};

template <class Lock>
struct counts_under {
    static constexpr auto threads = std::array{"counts", "counts"};
    Lock lock;
    int counter = 0;

    void run(int /*thread*/) {
        lock.lock();
        ++counter;
        lock.unlock();
    }
    void finish() const { require(counter == 2); }
};

// Looks for some iterations, and sleeps where that did not help.
template <std::memory_order Looks>
struct patient_event {
    static constexpr auto threads = std::array{"sets", "awaits"};
    std::atomic<bool> set{false};
    int content = 0;

    void run(int thread) {
        if (thread == 0) {
            content = 42;
            set.store(true, release);
            set.notify_all();
        } else {
            await();
            require(content == 42);
        }
    }

private:
    void await() noexcept {
        for (int iteration = 0; iteration < 100; ++iteration) {
            if (set.load(Looks)) return;
            pause();
        }
        set.wait(false, acquire);
    }
};

// How long to pause is a setting, which may be changed with a lock held only.
struct setting_of_pause {
    static constexpr auto threads = std::array{"changes", "awaits"};
    std::atomic<bool> set{false};
    int most = 20;

    void run(int thread) {
        if (thread == 0) {
            set.store(true, release);
            most = 10;
        } else {
            int count = 0;
            while (!set.load(acquire)) {
                if (count++ < most) pause();
            }
        }
    }
};

// For how long to sleep is a setting as well.
struct setting_of_sleep {
    static constexpr auto threads = std::array{"changes", "awaits"};
    std::atomic<bool> set{false};
    timespec length{0, 1000};

    void run(int thread) {
        if (thread == 0) {
            set.store(true, release);
            length.tv_nsec = 10;
        } else {
            int count = 0;
            while (!set.load(acquire)) {
                if (count++ < 2) {
                    pause();
                } else {
                    nanosleep(&length, nullptr);
                }
            }
        }
    }
};

ORDEAL_SCENARIO("programs/back_off_deregisters_doubling", deregisters_against_request<doubling_pause>);
ORDEAL_SCENARIO("programs/back_off_deregisters", deregisters_against_request<counting_pause>);
ORDEAL_SCENARIO("programs/back_off_registers_doubling", registers_against_request<doubling_pause>);
ORDEAL_SCENARIO("programs/back_off_registers", registers_against_request<counting_pause>);
ORDEAL_SCENARIO("programs/back_off_deregisters_sleeping", deregisters_against_request<sleeping_pause>);
ORDEAL_SCENARIO("programs/back_off_registers_sleeping", registers_against_request<sleeping_pause>);
ORDEAL_SCENARIO("programs/back_off_deregisters_library_sleep", deregisters_against_request<library_sleep>);
ORDEAL_SCENARIO("programs/back_off_registers_library_sleep", registers_against_request<library_sleep>);
ORDEAL_SCENARIO("programs/back_off_deregisters_steady", deregisters_against_request<steady_pause>);
ORDEAL_SCENARIO("programs/back_off_registers_steady", registers_against_request<steady_pause>);
ORDEAL_SCENARIO("programs/back_off_unlocks_relaxed",
                wrong<deregisters_against_request<counting_pause, relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/back_off_leaves_early",
                wrong<deregisters_against_request<counting_pause, release, false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/back_off_setting", wrong<setting_of_pause, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/back_off_setting_of_sleep", wrong<setting_of_sleep, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/back_off_then_sleeps", counts_under<patient_lock<100>>);
ORDEAL_SCENARIO("programs/back_off_event", patient_event<acquire>);
ORDEAL_SCENARIO("programs/back_off_event_relaxed", wrong<patient_event<relaxed>, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
