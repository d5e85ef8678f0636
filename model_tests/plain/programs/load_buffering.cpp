// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that are made before an earlier load, and what depends on it. None of the wrong ones has a wrong execution in
// RC11.
#include "model_tests/plain/programs/programs.hpp"

#include <mutex>

namespace ordeal::model_tests {

namespace {

// The second thread answers in x when it has seen y.
struct answered {
    static constexpr std::array threads{"one", "other"};
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    int data = 0;
    int seen = 0;

    void answer() {
        if (y.load(relaxed) != 0) x.store(1, relaxed);
    }
    void finish() const { require(seen == 0); }
};

template <std::memory_order Load, std::memory_order Store>
struct stored_before_a_load : answered {
    void run(int thread) {
        if (thread == 1) return answer();
        seen = x.load(Load);
        y.store(1, Store);
    }
};

// The thread itself asks, when it has made the store.
struct asked_after_the_store : answered {
    void run(int thread) {
        if (thread == 1) return answer();
        const int read = x.load(relaxed);
        y.store(1, relaxed);
        require(read == 0);
    }
};

// A race, though the access stands before the store that is made first.
template <bool Between>
struct race_behind_a_future_read : answered {
    void run(int thread) {
        if (thread == 1) {
            if (y.load(relaxed) == 0) return;
            data = 2;
            x.store(1, relaxed);
            return;
        }
        const int read = x.load(relaxed);
        if (Between && read == 1) data = 1;
        y.store(1, relaxed);
        if (!Between && read == 1) data = 1;
    }
};

// What comes before the creation of a thread is not made after what that thread does.
struct counted_before_a_thread_begins {
    static constexpr auto threads = only_main;
    std::atomic<int> uses{1};
    std::atomic<int> flag{0};
    int last = -1;

    void run(int /*thread*/) {
        uses.fetch_add(1, relaxed);
        flag.store(1, relaxed);
        std::thread other([&] {
            if (flag.load(relaxed) == 1) let_go(1);
        });
        let_go(0);
        other.join();
    }

private:
    void let_go(int user) {
        if (uses.fetch_sub(1, std::memory_order_acq_rel) == 1) last = user;
    }
};

// Nothing comes out of thin air.
struct copied_by_both : answered {
    int also_seen = 0;
    void run(int thread) {
        if (thread == 0) {
            seen = x.load(relaxed);
            y.store(seen, relaxed);
        } else {
            also_seen = y.load(relaxed);
            x.store(also_seen, relaxed);
        }
    }
    void finish() const { require(seen == 0 && also_seen == 0); }
};

struct two_future_reads : answered {
    std::atomic<int> z{0};
    int also_seen = 0;
    void run(int thread) {
        if (thread == 0) {
            seen = x.load(relaxed);
            also_seen = z.load(relaxed);
            y.store(1, relaxed);
        } else if (y.load(relaxed) == 1) {
            x.store(1, relaxed);
            z.store(1, relaxed);
        }
    }
    void finish() const { require(seen == 0 || also_seen == 0); }
};

struct around_three_threads : answered {
    static constexpr std::array threads{"one", "other", "third"};
    std::atomic<int> z{0};
    void run(int thread) {
        if (thread == 0) {
            seen = x.load(relaxed);
            y.store(1, relaxed);
        } else if (thread == 1) {
            if (y.load(relaxed) == 1) z.store(1, relaxed);
        } else if (z.load(relaxed) == 1) {
            x.store(1, relaxed);
        }
    }
};

// Each addition is the first one to one counter, and the second to the other.
struct added_crosswise : answered {
    int also_seen = 0;
    void run(int thread) {
        if (thread == 0) {
            seen = x.fetch_add(1, relaxed);
            (void)y.fetch_add(1, relaxed);
        } else {
            also_seen = y.fetch_add(1, relaxed);
            (void)x.fetch_add(1, relaxed);
        }
    }
    void finish() const { require(seen == 0 || also_seen == 0); }
};

// It waits until the other one has gone on.
struct waits_for_the_answer : answered {
    void run(int thread) {
        if (thread == 0) {
            seen = x.load(relaxed);
            y.store(1, relaxed);
            return;
        }
        while (y.load(relaxed) == 0) std::this_thread::yield();
        x.store(1, relaxed);
    }
};

// A pointer that is read before it is written.
struct read_through_a_pointer {
    static constexpr std::array threads{"one", "other"};
    std::atomic<const int*> x{nullptr};
    std::atomic<int> y{0};
    int data = 0;
    void run(int thread) {
        if (thread == 1) {
            if (y.load(relaxed) == 0) return;
            data = 1;
            x.store(&data, relaxed);
            return;
        }
        const int* const read = x.load(relaxed);
        y.store(1, relaxed);
        if (read != nullptr) require(*read == 1);
    }
};

// The addition may come after the exchange; then its thread reads what it has added, and nothing older. The main thread
// asks, which makes no operation after the threads.
template <int NeverSeen>
struct read_back_after_an_addition {
    static constexpr auto threads = only_main;
    std::atomic<int> y{0};
    std::atomic<int> z{0};

    void run(int /*thread*/) {
        int added_to = 0;
        int read_back = 0;
        std::thread one([&] {
            added_to = z.fetch_add(2, relaxed);
            read_back = z.load(relaxed);
            y.store(1, relaxed);
        });
        std::thread other([&] {
            (void)y.load(acquire);
            (void)z.exchange(1, relaxed);
        });
        one.join();
        other.join();
        require(added_to != 1 || read_back != NeverSeen);
    }
};

// What is written in one section under a mutex is not made before what was read in an earlier one.
struct read_and_stored_in_two_sections : answered {
    std::mutex mutex;
    void run(int thread) {
        if (thread == 1) {
            if (y.load(acquire) == 1) x.store(1, relaxed);
            return;
        }
        {
            const std::lock_guard lock(mutex);
            seen = x.load(relaxed);
        }
        const std::lock_guard lock(mutex);
        y.store(1, relaxed);
    }
};

// What the second thread has read late is what the first one reads late: case 7 of Java's causality test cases.
struct read_in_the_future_by_both : answered {
    std::atomic<int> z{0};
    void run(int thread) {
        if (thread == 0) {
            seen = z.load(relaxed);
            y.store(x.load(relaxed), relaxed);
        } else {
            z.store(y.load(relaxed), relaxed);
            x.store(1, relaxed);
        }
    }
};

using unordered = stored_before_a_load<relaxed, relaxed>;
using read_back = read_back_after_an_addition<1>;
using read_back_late = wrong<read_back_after_an_addition<3>, violation_kind::failed_requirement>;
using late_by_both = wrong<read_in_the_future_by_both, violation_kind::failed_requirement>;
using acquired = stored_before_a_load<acquire, relaxed>;
using released = stored_before_a_load<relaxed, release>;
using asked_first = wrong<race_behind_a_future_read<true>, violation_kind::data_race>;
using asked_last = wrong<race_behind_a_future_read<false>, violation_kind::data_race>;
using around_three = wrong<around_three_threads, violation_kind::failed_requirement>;
using waited_for = wrong<waits_for_the_answer, violation_kind::failed_requirement>;
using through_a_pointer = wrong<read_through_a_pointer, violation_kind::data_race>;
using after_the_store = wrong<asked_after_the_store, violation_kind::failed_requirement>;
using both_late = wrong<two_future_reads, violation_kind::failed_requirement>;
using crosswise = wrong<added_crosswise, violation_kind::failed_requirement>;
using stored_first = wrong<unordered, violation_kind::failed_requirement>;

ORDEAL_SCENARIO("programs/counted_before_a_thread_begins", counted_before_a_thread_begins);
ORDEAL_SCENARIO("programs/stored_before_a_load", stored_first);
ORDEAL_SCENARIO("programs/stored_after_an_acquiring_load", acquired);
ORDEAL_SCENARIO("programs/released_after_a_load", released);
ORDEAL_SCENARIO("programs/asked_after_the_store", after_the_store);
ORDEAL_SCENARIO("programs/race_before_a_store_that_is_made_first", asked_first);
ORDEAL_SCENARIO("programs/race_behind_a_future_read", asked_last);
ORDEAL_SCENARIO("programs/copied_by_both", copied_by_both);
ORDEAL_SCENARIO("programs/two_future_reads", both_late);
ORDEAL_SCENARIO("programs/future_read_around_three_threads", around_three);
ORDEAL_SCENARIO("programs/added_crosswise", crosswise);
ORDEAL_SCENARIO("programs/read_back_after_an_addition", read_back);
ORDEAL_SCENARIO("programs/read_back_after_an_addition_in_the_future", read_back_late);
ORDEAL_SCENARIO("programs/read_in_the_future_by_both", late_by_both);
ORDEAL_SCENARIO("programs/read_and_stored_in_two_sections", read_and_stored_in_two_sections);
ORDEAL_SCENARIO("programs/waits_for_the_answer", waited_for);
ORDEAL_SCENARIO("programs/read_through_a_pointer", through_a_pointer);

}  // namespace

}  // namespace ordeal::model_tests
