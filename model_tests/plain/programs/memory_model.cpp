// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only a memory model can tell: values that are old, orders that not all see alike, failures without a reason.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <cstdint>
#include <latch>
#include <mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

// Two write, two look in opposite orders: do both see the same one first?
template <std::memory_order Store, std::memory_order Load>
struct independent_readers {
    static constexpr auto threads = std::array{"writes x", "writes y", "reads x, y", "reads y, x"};
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    bool x_first = false;
    bool y_first = false;

    void run(int thread) {
        switch (thread) {
            case 0: return x.store(1, Store);
            case 1: return y.store(1, Store);
            case 2: x_first = x.load(Load) == 1 && y.load(Load) == 0; break;
            default: y_first = y.load(Load) == 1 && x.load(Load) == 0; break;
        }
    }
    void finish() const { require(!x_first || !y_first, "the readers do not agree"); }
};

// Counts up only, and is never seen to go back.
struct never_goes_back {
    static constexpr auto threads = std::array{"counts", "looks"};
    std::atomic<int> count{0};

    void run(int thread) {
        if (thread == 0) {
            count.store(1, relaxed);
            count.store(2, relaxed);
        } else {
            const int first = count.load(relaxed);
            require(first <= count.load(relaxed));
        }
    }
};

// Two counters, one counted up after the other: with relaxed ones the order is not seen.
template <std::memory_order Store, std::memory_order Load>
struct one_after_the_other {
    static constexpr auto threads = std::array{"counts", "looks"};
    std::atomic<int> first{0};
    std::atomic<int> second{0};

    void run(int thread) {
        if (thread == 0) {
            first.store(1, relaxed);
            second.store(1, Store);
        } else {
            const int later = second.load(Load);
            require(later <= first.load(relaxed), "the second one is ahead");
        }
    }
};

// What another thread adds to the flag keeps up what was released with it; what the same thread stores since C++20 does not.
template <bool Adds>
struct release_goes_on {
    static constexpr auto threads = std::array{"writes", "passes on", "reads"};
    int data = 0;
    std::atomic<int> flag{0};
    int seen = 1;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            flag.store(1, release);
            if (!Adds) flag.store(2, relaxed);
        } else if (thread == 1) {
            if (Adds) flag.fetch_add(1, relaxed);
        } else if (flag.load(acquire) == 2) {
            seen = data;
        }
    }
    void finish() const { require(seen == 1); }
};

// It may fail without a reason, and is not tried again.
template <bool Weak>
struct exchanged_once {
    static constexpr auto threads = std::array{"exchanges"};
    std::atomic<int> word{0};

    void run(int /*thread*/) {
        int expected = 0;
        require(Weak ? word.compare_exchange_weak(expected, 1) : word.compare_exchange_strong(expected, 1));
    }
};

// So may this ([thread.mutex.requirements.mutex]).
struct free_mutex_is_tried {
    static constexpr auto threads = std::array{"tries"};
    std::mutex mutex;

    void run(int /*thread*/) {
        const std::unique_lock lock(mutex, std::try_to_lock);
        require(lock.owns_lock(), "nobody else has it");
    }
};

// Looks without the lock first, and again with it, but at something that is not atomic.
struct counted_under_half_a_lock {
    static constexpr auto threads = std::array{"counts", "looks"};
    std::mutex mutex;
    std::atomic<bool> any{false};
    int count = 0;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            const std::lock_guard lock(mutex);
            any.store(true, relaxed);
            ++count;
        } else if (any.load(acquire)) {
            seen = count;
        }
    }
};

// x is 1 before it is 2, so y was written before the 2; and who waited for the thread that wrote the 2 comes after it in
// the order of seq_cst operations, though the end of a thread and the wait for it are none.
enum class waited_for : std::uint8_t { end, end_and_fence, end_known_to_another, arrival };
template <waited_for What, std::memory_order Load>
struct seq_cst_after_a_wait {
    static constexpr auto threads = std::array{"writes y, x", "waits"};
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    std::atomic<bool> over{false};
    std::latch written{1};
    int seen = 1;

    void run(int thread) {
        if (thread == 0) {
            y.store(1, seq_cst);
            x.store(1, seq_cst);
            return;
        }
        std::thread other([this] {
            x.store(2, seq_cst);
            if (What == waited_for::arrival) written.count_down();
        });
        if (What == waited_for::arrival) {
            written.wait();
            look();
            other.join();
        } else if (What == waited_for::end_known_to_another) {
            std::thread waits([&] {
                other.join();
                over.store(true, release);
            });
            if (over.load(acquire)) look();
            waits.join();
        } else {
            other.join();
            if (What == waited_for::end_and_fence) std::atomic_thread_fence(seq_cst);
            look();
        }
    }
    void look() { seen = y.load(Load); }
    void finish() const { require(seen == 1 || x.load(relaxed) == 1, "y was written before the 2"); }
};

template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;

ORDEAL_SCENARIO("programs/independent_readers", independent_readers<seq_cst, seq_cst>);
ORDEAL_SCENARIO("programs/independent_readers_acquire", fails<independent_readers<release, acquire>>);
ORDEAL_SCENARIO("programs/never_goes_back", never_goes_back);
ORDEAL_SCENARIO("programs/seq_cst_after_a_join", seq_cst_after_a_wait<waited_for::end, seq_cst>);
ORDEAL_SCENARIO("programs/seq_cst_after_a_join_and_a_fence", seq_cst_after_a_wait<waited_for::end_and_fence, relaxed>);
ORDEAL_SCENARIO("programs/seq_cst_after_the_join_of_another",
                seq_cst_after_a_wait<waited_for::end_known_to_another, seq_cst>);
ORDEAL_SCENARIO("programs/seq_cst_after_an_arrival", seq_cst_after_a_wait<waited_for::arrival, seq_cst>);
ORDEAL_SCENARIO("programs/acquire_after_a_join", fails<seq_cst_after_a_wait<waited_for::end, acquire>>);
ORDEAL_SCENARIO("programs/one_after_the_other", one_after_the_other<release, acquire>);
ORDEAL_SCENARIO("programs/one_after_the_other_relaxed", fails<one_after_the_other<relaxed, relaxed>>);
ORDEAL_SCENARIO("programs/release_goes_on", release_goes_on<true>);
ORDEAL_SCENARIO("programs/release_is_overwritten", wrong<release_goes_on<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/exchanged_once", exchanged_once<false>);
ORDEAL_SCENARIO("programs/exchanged_once_weakly", fails<exchanged_once<true>>);
ORDEAL_SCENARIO("programs/free_mutex_is_tried", fails<free_mutex_is_tried>);
ORDEAL_SCENARIO("programs/counted_under_half_a_lock", wrong<counted_under_half_a_lock, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
