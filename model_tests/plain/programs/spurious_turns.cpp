// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread sees in an iteration of a loop that only a spurious failure brought about, or after which it stays where it is.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

// An optimiser would have a first iteration of its own.
#ifdef __clang__
#define AS_WRITTEN [[clang::optnone, gnu::noinline]]
#else
#define AS_WRITTEN [[gnu::optimize("O0"), gnu::noinline]]
#endif

namespace ordeal::model_tests {

namespace {

// The first thread looks at `late` when its exchange has failed, which nothing but chance makes it do.
template <int Looking>
struct seen_in_a_spurious_turn {
    static constexpr auto threads = std::array{"first", "second", "third"};
    std::atomic<int> word{0};
    std::atomic<int> early{0}, late{0};
    int seen = 0;

    void run(int thread) {
        switch ((thread + Looking) % 3) {
            case 0: return look();
            case 1: return late.store(1, relaxed);
            default: return early.store(1, relaxed);
        }
    }
    void look() {
        const int before = early.load(relaxed);
        int expected = 0;
        while (!word.compare_exchange_weak(expected, 1, relaxed)) {
            if (late.load(relaxed) == 1) {
                seen = 1 + before;
                return;
            }
            expected = 0;
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(seen); }
};

struct seen_by_the_leftmost : seen_in_a_spurious_turn<0> {};
struct seen_by_the_rightmost : seen_in_a_spurious_turn<1> {};
struct seen_by_the_middle : seen_in_a_spurious_turn<2> {};

ORDEAL_SCENARIO("programs/seen_in_a_spurious_turn_leftmost", seen_by_the_leftmost);
ORDEAL_SCENARIO("programs/seen_in_a_spurious_turn_middle", seen_by_the_middle);
ORDEAL_SCENARIO("programs/seen_in_a_spurious_turn_rightmost", seen_by_the_rightmost);

// What the thread looks at while it reads the old value of `second` is written by the other, when that has gone on. One function
// waits twice, so that the search knows it as a loop the second time. That it has been looked at before is no matter, if that look
// is ordered before the write.
template <bool LookedAtBefore>
struct looks_at_bytes_in_a_turn {
    static constexpr auto threads = std::array{"waits twice", "lets it go, writes"};
    std::atomic<int> first{0}, second{0}, looked{0};
    volatile int never = 0;
    volatile int written = 0;

    AS_WRITTEN static void wait(const std::atomic<int>& what, const volatile int& looked_at) {
        while (what.load(relaxed) == 0) (void)looked_at;
    }
    void run(int thread) {
        if (thread == 0) {
            wait(first, never);
            if (LookedAtBefore) {
                (void)written;
                looked.store(1, release);
            }
            wait(second, written);
        } else {
            second.store(1, relaxed);
            first.store(1, relaxed);
            (void)first.load(relaxed);
            while (LookedAtBefore && looked.load(acquire) == 0) {
            }
            written = 1;
        }
    }
};

// The same where the iteration is one that fails spuriously.
struct looks_at_bytes_in_a_spurious_turn {
    static constexpr auto threads = std::array{"takes twice", "lets it, writes"};
    std::atomic<int> first{2}, second{0};
    volatile int never = 0;
    volatile int written = 0;

    AS_WRITTEN static void take(std::atomic<int>& what, const volatile int& looked_at) {
        for (int expected = 0; !what.compare_exchange_weak(expected, 1, relaxed); expected = 0) (void)looked_at;
    }
    void run(int thread) {
        if (thread == 0) {
            take(first, never);
            take(second, written);
        } else {
            first.store(0, relaxed);
            (void)first.load(relaxed);
            written = 1;
        }
    }
};

// The first thread looks at `written` when its wait has ended spuriously, and by what it does after the wait the third one knows
// that it may write; but that is ordered behind nothing. Nobody is seen to race: with `written` looked at before, and behind a lock of
// the third one's, the second look is made in the iteration of the wait alone.
struct goes_by_what_comes_after_a_wait {
    static constexpr auto threads = std::array{"waits", "notifies", "writes"};
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<int> begun{0}, done{0};
    volatile int written = 0;
    bool over = false;

    AS_WRITTEN static void wait(goes_by_what_comes_after_a_wait& all, std::unique_lock<std::mutex>& lock) {
        while (!(all.over || all.written == 7)) all.changed.wait(lock);
    }
    void run(int thread) {
        if (thread == 0) {
            std::unique_lock lock(mutex);
            begun.store(1, release);
            wait(*this, lock);
            lock.unlock();
            done.store(1, relaxed);
        } else if (thread == 1) {
            {
                const std::lock_guard lock(mutex);
                over = true;
            }
            changed.notify_one();
        } else if (begun.load(acquire) == 1) {
            {
                const std::lock_guard lock(mutex);
            }
            if (done.load(relaxed) == 1) written = 5;
        }
    }
};
ORDEAL_SCENARIO("programs/goes_by_what_comes_after_a_wait", goes_by_what_comes_after_a_wait);

// What is looked at after the wait alone is written by one who knows nothing of the waiter.
struct looks_after_a_wait {
    static constexpr auto threads = std::array{"waits", "notifies", "writes"};
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<int> other{0};
    volatile int looked_at = 0;
    bool over = false;

    void run(int thread) {
        if (thread == 0) {
            std::unique_lock lock(mutex);
            while (!over) {
                changed.wait(lock);
                if (!over) (void)looked_at;
            }
        } else if (thread == 1) {
            {
                const std::lock_guard lock(mutex);
                over = true;
            }
            changed.notify_one();
        } else {
            other.store(1, relaxed);
            looked_at = 1;
        }
    }
};
using looks_after_a_spurious_wait = wrong<looks_after_a_wait, violation_kind::data_race>;
ORDEAL_SCENARIO("programs/looks_after_a_spurious_wait", looks_after_a_spurious_wait);

// Who waits is counted: up before the wait, down after it, and up again where it has ended spuriously.
struct counts_who_waits {
    static constexpr auto threads = std::array{"waits", "waits", "notifies"};
    std::mutex mutex;
    std::condition_variable changed;
    int waiting = 0;
    bool over = false;

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread == 2) {
            over = true;
            if (waiting != 0) changed.notify_all();
            return;
        }
        while (!over) {
            ++waiting;
            changed.wait(lock);
            --waiting;
        }
    }
    void finish() const { require(waiting == 0); }
};
ORDEAL_SCENARIO("programs/counts_who_waits", counts_who_waits);

// What is counted up and never down is another value each time.
struct counts_its_waits {
    static constexpr auto threads = std::array{"waits", "notifies"};
    std::mutex mutex;
    std::condition_variable changed;
    int waits = 0;
    bool over = false;

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread == 1) {
            over = true;
            changed.notify_one();
            return;
        }
        while (!over) {
            ++waits;
            changed.wait(lock);
        }
    }
    void finish() const { require(waits < 2); }
};
using expects_one_wait = wrong<counts_its_waits, violation_kind::failed_requirement>;
ORDEAL_SCENARIO("programs/expects_one_wait", expects_one_wait);

// Who counts behind its wait knows by the count what others did behind theirs; but what it frees then is its own.
struct counts_and_frees_after_a_wait {
    static constexpr auto threads = std::array{"one", "other"};
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<int> counted{0};
    int arrived = 0;

    void run(int) {
        const auto own = std::make_unique<int>(1);
        {
            std::unique_lock lock(mutex);
            arrived += *own;
            changed.wait(lock, [&] { return arrived == 2; });
        }
        changed.notify_one();
        counted.fetch_add(1, relaxed);
    }
};
ORDEAL_SCENARIO("programs/counts_and_frees_after_a_wait", counts_and_frees_after_a_wait);

using looks_in_a_turn = wrong<looks_at_bytes_in_a_turn<false>, violation_kind::data_race>;
using looks_again_in_a_turn = wrong<looks_at_bytes_in_a_turn<true>, violation_kind::data_race>;
using looks_in_a_spurious_turn = wrong<looks_at_bytes_in_a_spurious_turn, violation_kind::data_race>;
ORDEAL_SCENARIO("programs/looks_at_bytes_in_a_turn", looks_in_a_turn);
ORDEAL_SCENARIO("programs/looks_again_at_bytes_in_a_turn", looks_again_in_a_turn);
ORDEAL_SCENARIO("programs/looks_at_bytes_in_a_spurious_turn", looks_in_a_spurious_turn);

}  // namespace

}  // namespace ordeal::model_tests
