// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop, or a failure that was only tried out, does beside its atomic operations must not be lost: each of these
// programs was once said to hold, or to fail, wrongly.
#include "model_tests/graph/search_parts.hpp"
#include "model_tests/litmus/litmus.hpp"

#include "ordeal/scenario/faults.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <new>

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <class P>
struct looks_between_try_locks {
    static constexpr auto threads = two_threads;
    typename P::mutex mutex;
    typename P::template cell<int> data{0};

    void run(int thread) {
        if (thread == 0) {
            data.write() = 1;
            return;
        }
        while (!mutex.try_lock()) (void)data.read();
        mutex.unlock();
    }
};

template <class P>
struct allocation_between_try_locks {
    static constexpr auto threads = std::array{"only"};
    typename P::mutex mutex;
    bool missed = false;

    // Fails the first time, whoever comes first.
    static bool allocates() {
        void* const block = ::operator new(1, std::nothrow);  // not a new-expression, which need not allocate
        ::operator delete(block);
        return block != nullptr;
    }

    void run(int) {
        fail_allocation(1);
        while (!mutex.try_lock()) (void)allocates();
        missed = !allocates();
        mutex.unlock();
    }
    [[nodiscard]] std::string outcome() const { return missed ? "missed" : "had"; }
};

enum class between { yield, fence, plain_read, notification };

// Gives up after four iterations, counted where no operation of the model sees it.
template <between What>
struct counts_beside {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> flag{0};
        typename P::template atomic<int> other{0};
        typename P::template cell<int> cell{0};
        int iterations = 0;

        void run(int thread) {
            if (thread == 1) return flag.store(1, release);
            while (flag.load(acquire) == 0) {
                if constexpr (What == between::yield) P::yield();
                if constexpr (What == between::fence) P::fence(acquire);
                if constexpr (What == between::plain_read) (void)cell.read();
                if constexpr (What == between::notification) other.notify_all();
                if (++iterations == 4) return;
            }
        }
        [[nodiscard]] std::string outcome() const { return values(iterations); }
    };
};

// The first thread's loop is cut in some executions; what the others allocate then is theirs all the same.
template <class P>
struct allocates_while_another_waits {
    static constexpr auto threads = four_threads;
    typename P::template atomic<int> flag{0};
    typename P::template atomic<int> other{0};
    typename P::template atomic<int*> shared{nullptr};

    void run(int thread) {
        if (thread == 0) {
            while (flag.load(acquire) == 0) {
            }
        } else if (thread == 1) {
            shared.store(new int(1), release);
            (void)other.load(relaxed);
        } else if (thread == 2) {
            other.store(1, relaxed);
        } else {
            flag.store(1, release);
        }
    }
    void finish() { delete shared.load(relaxed); }
};

template <class P>
struct exchange_that_a_store_lets_succeed {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{1};
    bool stored = false;

    void run(int thread) {
        if (thread == 0) return x.store(0, relaxed);
        int expected = 0;
        stored = x.compare_exchange_weak(expected, 5, relaxed, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(stored ? 1 : 0); }
};

template <class P>
struct yields_for_a_while {
    static constexpr auto threads = std::array{"only"};
    void run(int) {
        for (int i = 0; i < 20; ++i) P::yield();
    }
};

// The store does not happen before the notification: that thread has only seen it.
template <class P>
struct notified_by_hearsay {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        if (thread == 0) return x.store(1, relaxed);
        if (thread == 2) return x.wait(0, relaxed);
        if (x.load(relaxed) == 1) x.notify_one();
    }
};

// The first notification may have gone to the last thread, the second to one of the others: the third one is stuck,
// though the second could not have gone to the last.
template <class P>
struct two_notifications_for_three {
    static constexpr auto threads = std::array{"notifier", "first", "second", "last"};
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> through{0};

    void run(int thread) {
        if (thread != 0) {
            x.wait(0, relaxed);
            if (thread == 3) through.store(1, relaxed);
            return;
        }
        x.store(1, relaxed);
        x.notify_one();
        if (through.load(relaxed) == 1) {
            x.notify_one();
        } else {
            x.notify_all();
        }
    }
};

// What makes the two alike different is where the writes of the first thread lie between theirs.
template <class P>
struct copies_among_writes {
    static constexpr auto threads = std::array{"writer", "copier", "copier"};
    typename P::template atomic<int> q{0};
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> z{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            for (int i = 1; i <= 3; ++i) q.store(i, relaxed);
            seen = z.load(relaxed);
        } else {
            x.store(thread, relaxed);
            z.store(thread, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return seen == 0 ? "none" : "one"; }
};

template <template <class> class Scenario>
search_result by_graph() {
    return search(make_scenario<Scenario>("test"), full_search(), "graph");
}

}  // namespace

TEST_CASE("A plain access that only a spurious failure leads to is checked for a race") {
    CHECK(by_graph<looks_between_try_locks>().kind == violation_kind::data_race);
}

TEST_CASE("An injected failure is used up by the execution that it happens in, and by no other") {
    const search_result result = by_graph<allocation_between_try_locks>();
    CHECK(result.outcomes.contains("missed"));
    CHECK(result.outcomes.contains("had"));
}

TEST_CASE("A loop that counts beside its operations is no loop that comes back") {
    const std::map<std::string, std::uint64_t> each_once{{"0", 1}, {"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}};
    CHECK(by_graph<counts_beside<between::yield>::test>().outcomes == each_once);
    CHECK(by_graph<counts_beside<between::fence>::test>().outcomes == each_once);
    CHECK(by_graph<counts_beside<between::plain_read>::test>().outcomes == each_once);
    CHECK(by_graph<counts_beside<between::notification>::test>().outcomes == each_once);
}

TEST_CASE("What is allocated while another thread's loop is cut belongs to the execution") {
    CHECK(by_graph<allocates_while_another_waits>().verdict == verdict::held);
}

TEST_CASE("A failure of an exchange that a later store lets succeed is one execution") {
    const search_result result = by_graph<exchange_that_a_store_lets_succeed>();
    // It reads 1 and fails, before or after the store; or reads 0, and fails or succeeds.
    CHECK(result.executions == 4 - 1);
    CHECK(result.outcomes == std::map<std::string, std::uint64_t>{{"0", 2}, {"1", 1}});
}

TEST_CASE("Yields alone are no loop, however many") {
    const search_result result = by_graph<yields_for_a_while>();
    CHECK(result.verdict == verdict::held);
    CHECK(result.executions == 1);
}

TEST_CASE("A notification after a store that it was not ordered after need not wake who waits") {
    CHECK(by_graph<notified_by_hearsay>().kind == violation_kind::deadlock);
}

TEST_CASE("A single notification may have gone to any of those that waited and returned") {
    CHECK(by_graph<two_notifications_for_three>().kind == violation_kind::deadlock);
}

TEST_CASE("Graphs of interchangeable threads lose nothing on their way to another process") {
    scenario what = make_scenario<copies_among_writes>("copies among writes");
    what.interchangeable = {1, 2};
    check_survives_parts(what, 1);
}

}  // namespace ordeal::model_tests
