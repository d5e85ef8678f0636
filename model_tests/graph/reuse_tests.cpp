// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that was freed and is allocated again: what is found with it, counted by hand, and counted for random programs by
// way of their executions without it.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/search_parts.hpp"
#include "model_tests/support/same_trace.hpp"

#include "ordeal/coro/detached.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

search_options reusing(unsigned times) {
    search_options how = full_search();
    how.bounds.reuse = times;
    return how;
}

constexpr const char* limit = "memory that was freed is allocated again at most";
constexpr const char* assumed =
    "memory that one thread freed comes back to another only where the program orders the two";

struct node {
    int value = 0;
};

// "Replace the first one if it is still there", by address: another one may lie where the first was.
enum class naming : std::uint8_t { by_address, by_count, never_freed };

template <naming By>
struct replaced {
    template <class P>
    struct scenario {
        static constexpr auto threads = std::array{"replaces", "exchanges"};
        node* const first = new node{1};
        node* const other = new node{9};
        typename P::template atomic<node*> current;
        typename P::template atomic<int> version{0};
        node* second = nullptr;

        scenario() : current(first) {}
        ~scenario() {
            if (second == nullptr || By == naming::never_freed) delete first;
            delete other;
            delete second;
        }
        void run(int thread) {
            if (thread == 0) {
                // The count is compared too: who is late with it leaves everything as it is.
                if (By == naming::by_count) {
                    int unchanged = 0;
                    if (!version.compare_exchange_strong(unchanged, 1, acq_rel, acquire)) return;
                }
                node* expected = first;
                (void)current.compare_exchange_strong(expected, other, acq_rel, acquire);
                return;
            }
            if (By == naming::by_count) {
                int unchanged = 0;
                if (!version.compare_exchange_strong(unchanged, 2, acq_rel, acquire)) return;
            }
            node* expected = first;
            if (!current.compare_exchange_strong(expected, nullptr, acq_rel, acquire)) return;
            if (By != naming::never_freed) delete first;
            second = new node{2};
            current.store(second, release);
        }
        void finish() { require(second == nullptr || current.load(acquire) == second, "the second one was replaced"); }
    };
};

template <class P>
using replaced_by_address = replaced<naming::by_address>::scenario<P>;
template <class P>
using replaced_by_count = replaced<naming::by_count>::scenario<P>;
template <class P>
using replaced_never_freed = replaced<naming::never_freed>::scenario<P>;

// Of the blocks that are freed each may come back, or none: for every allocation.
template <std::size_t Freed, std::size_t Allocated>
struct in_a_row {
    template <class P>
    struct scenario {
        static constexpr auto threads = std::array{"frees and allocates"};
        std::array<node*, Freed> before{};
        std::array<node*, Allocated> after{};

        void run(int /*thread*/) {
            for (node*& each : before) each = new node;
            for (node* each : before) delete each;
            for (node*& each : after) each = new node;
        }
        void finish() {
            for (node* each : after) delete each;
        }
        [[nodiscard]] std::string outcome() const {
            std::string text;
            for (const node* each : after) {
                std::size_t which = 0;
                while (which < Freed && before[which] != each) ++which;
                text += which == Freed ? '-' : static_cast<char>('1' + which);
            }
            return text;
        }
    };
};

template <class P>
using one_block = in_a_row<1, 1>::scenario<P>;
template <class P>
using two_blocks = in_a_row<2, 2>::scenario<P>;
template <class P>
using five_blocks = in_a_row<5, 1>::scenario<P>;

// A block comes back in another thread where that knows that it was freed.
template <std::memory_order Order, std::size_t Size>
struct in_another_thread {
    template <class P>
    struct scenario {
        static constexpr auto threads = std::array{"frees", "allocates"};
        void* const first = ::operator new(24);
        typename P::template atomic<int> freed{0};
        void* second = nullptr;

        void run(int thread) {
            if (thread == 0) {
                ::operator delete(first);
                freed.store(1, release);
            } else if (freed.load(Order) == 1) {
                second = ::operator new(Size);
            }
        }
        void finish() { ::operator delete(second); }
        [[nodiscard]] std::string outcome() const {
            return second == nullptr ? "none" : second == first ? "same" : "other";
        }
    };
};

template <class P>
using in_another_thread_acquire = in_another_thread<std::memory_order_acquire, 24>::scenario<P>;
template <class P>
using in_another_thread_relaxed = in_another_thread<std::memory_order_relaxed, 24>::scenario<P>;
template <class P>
using in_another_thread_of_its_class = in_another_thread<std::memory_order_acquire, 30>::scenario<P>;
template <class P>
using in_another_thread_larger = in_another_thread<std::memory_order_acquire, 40>::scenario<P>;

// The two know nothing of each other; the one or the other runs first.
template <int Frees>
struct freed_beside {
    template <class P>
    struct scenario {
        static constexpr auto threads = two_threads;
        void* const first = ::operator new(24);
        void* second = nullptr;
        typename P::template atomic<int> common{0};

        void run(int thread) {
            (void)common.load(relaxed);
            if (thread == Frees) {
                ::operator delete(first);
            } else {
                second = ::operator new(24);
            }
        }
        void finish() { ::operator delete(second); }
    };
};

// Its address. Not a new-expression, which a compiler may leave out together with its delete.
const void* freed_at_once() {
    void* const block = ::operator new(24);
    ::operator delete(block);
    return block;  // NOLINT(clang-analyzer-cplusplus.NewDelete): its address alone
}

// One block for two threads: only one of them gets it.
template <class P>
struct one_for_two {
    static constexpr auto threads = two_threads;
    const void* const first = freed_at_once();
    std::array<void*, 2> taken{};
    typename P::template cell<int> common{0};

    void run(int thread) {
        (void)common.read();
        taken[static_cast<std::size_t>(thread)] = ::operator new(24);
    }
    void finish() {
        for (void* each : taken) ::operator delete(each);
    }
    [[nodiscard]] std::string outcome() const {
        return fmt::format("{}{}", static_cast<int>(taken[0] == first), static_cast<int>(taken[1] == first));
    }
};

// Who still uses the old object may meet the new one, and is no less wrong for that.
template <class P>
struct late_user {
    static constexpr auto threads = std::array{"frees and makes", "uses"};
    struct shared {
        typename P::template cell<int> value{1};
    };
    shared* const first = new shared;
    shared* second = nullptr;
    typename P::template atomic<int> made{0};

    void run(int thread) {
        if (thread == 0) {
            delete first;
            second = new shared;
            made.store(1, release);
        } else if (made.load(acquire) == 1) {
            // Right where it is the same address, and a use after free where it is not.
            require(first == second || static_cast<const int&>(first->value.read()) != 0);
        }
    }
    void finish() { delete second; }
};

// Reuse in the middle of a search that is large enough to be shared.
template <class P>
struct reused_and_raced {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> x{0};
    std::array<int, 3> same{};

    void run(int thread) {
        const void* const first = freed_at_once();
        const int seen = x.fetch_add(1, acq_rel);
        void* const second = ::operator new(24);
        same[static_cast<std::size_t>(thread)] = first == second ? seen + 1 : 0;
        for (int i = 0; i < 2; ++i) x.fetch_add(1, acq_rel);
        ::operator delete(second);
    }
    void finish() { std::ranges::sort(same); }  // which thread it was does not matter
    [[nodiscard]] std::string outcome() const { return fmt::format("{}", fmt::join(same, "")); }
};

template <class P>
struct coroutine_frames {
    static constexpr auto threads = std::array{"one after the other"};
    typename P::continuation parked;
    int resumed = 0;

    struct park {
        coroutine_frames& where;
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> frame) const noexcept {
            where.parked = typename P::continuation(frame);
        }
        void await_resume() const noexcept {}
    };
    coro::detached waits() {
        co_await park{*this};
        ++resumed;
    }
    void run(int /*thread*/) {
        for (int i = 0; i < 2; ++i) {
            waits();
            parked.resume();
        }
    }
    void finish() { require(resumed == 2); }
};

}  // namespace

TEST_CASE("What was freed may be allocated again, so that an address names another object") {
    const scenario wrong = make_scenario<replaced_by_address>("test/replaced_by_address");
    (void)check_violated(wrong, violation_kind::failed_requirement);
    (void)check_violated(wrong, violation_kind::failed_requirement, reusing(2));
    (void)check_violated(wrong, violation_kind::failed_requirement, random_search(1'000, 1));
    const search_result blind = graph_search(wrong, reusing(0));
    CHECK(blind.verdict == verdict::held_within);
    CHECK(names_limit(blind, limit));
}

TEST_CASE("What does not go by addresses alone holds though memory is allocated again") {
    const search_result counted = graph_search(make_scenario<replaced_by_count>("test/replaced_by_count"));
    CHECK(counted.verdict == verdict::held);
    const search_result kept = graph_search(make_scenario<replaced_never_freed>("test/replaced_never_freed"));
    CHECK(kept.verdict == verdict::held);
}

TEST_CASE("Every allocation takes fresh memory or each of the blocks freed before it") {
    const scenario one = make_scenario<one_block>("test/one_block");
    CHECK(check_held_within(one, limit, {"-"}, reusing(0)).executions == 1);
    CHECK(check_held(one, {"-", "1"}, reusing(1)).executions == 2);
    const scenario two = make_scenario<two_blocks>("test/two_blocks");
    CHECK(check_held_within(two, limit, {"--"}, reusing(0)).executions == 1);
    CHECK(check_held_within(two, limit, {"--", "1-", "2-", "-1", "-2"}, reusing(1)).executions == 5);
    CHECK(check_held(two, {"--", "1-", "2-", "-1", "-2", "12", "21"}, reusing(2)).executions == 7);
}

TEST_CASE("Of many blocks the last ones freed come back, and the verdict says so") {
    const scenario five = make_scenario<five_blocks>("test/five_blocks");
    CHECK(check_held_within(five, "only the last 4 are allocated again", {"-", "2", "3", "4", "5"}, reusing(1))
              .executions == 5);
}

TEST_CASE("A block comes back where its free happens before, and for its size") {
    const auto count = [](const scenario& what, const outcome_set& outcomes) {
        return check_held(what, outcomes, reusing(1)).executions;
    };
    CHECK(count(make_scenario<in_another_thread_acquire>("test/a"), {"none", "same", "other"}) == 3);
    CHECK(count(make_scenario<in_another_thread_relaxed>("test/r"), {"none", "other"}) == 2);
    CHECK(count(make_scenario<in_another_thread_of_its_class>("test/c"), {"none", "same", "other"}) == 3);
    CHECK(count(make_scenario<in_another_thread_larger>("test/l"), {"none", "other"}) == 2);
}

TEST_CASE("Memory that nothing orders comes back to nobody, and the verdict says so") {
    const auto names_it = [](const scenario& what) {
        const search_result found = graph_search(what);
        CHECK(found.verdict == verdict::held);
        return names_limit(found, assumed);
    };
    CHECK(names_it(make_scenario<in_another_thread_relaxed>("test/r")));
    CHECK(names_it(make_scenario<freed_beside<0>::scenario>("test/0")));
    CHECK(names_it(make_scenario<freed_beside<1>::scenario>("test/1")));
    CHECK_FALSE(names_it(make_scenario<in_another_thread_acquire>("test/a")));
}

TEST_CASE("One thread at most gets a block that was freed") {
    const scenario what = make_scenario<one_for_two>("test/one_for_two");
    CHECK(check_held(what, {"00", "10", "01"}, reusing(1)).executions == 3);
    CHECK(check_held(what, {"00", "10", "01"}, reusing(2)).executions == 3);
    const search_result random = graph_search(what, random_search(200, 1));
    CHECK(outcomes_of(random) == outcome_set{"00", "10", "01"});
}

TEST_CASE("A use after free is found though the memory could be another object's by then") {
    (void)check_violated(make_scenario<late_user>("test/late_user"), violation_kind::use_after_free);
}

TEST_CASE("A coroutine frame may lie where another one was") {
    CHECK(check_held(make_scenario<coroutine_frames>("test/frames"), {}, reusing(1)).executions == 2);
}

TEST_CASE("What was freed never comes back in Relacy, which is a limit of its verdict") {
    const search_result found = search(make_scenario<replaced_by_address>("test/replaced_by_address"), full_search());
    CHECK(found.verdict == verdict::held_within);
    CHECK(names_limit(found, "memory that was freed is never allocated again"));
    const search_result kept = search(make_scenario<replaced_never_freed>("test/replaced_never_freed"), full_search());
    CHECK_FALSE(names_limit(kept, "memory that was freed is never allocated again"));
}

TEST_CASE("A search with memory that comes back survives being written and read, and is shared by processes") {
    check_survives_parts(make_scenario<two_blocks>("test/two_blocks"), 1);
    check_survives_parts(make_scenario<one_for_two>("test/one_for_two"), 1);
    check_survives_parts(make_scenario<reused_and_raced>("test/reused_and_raced"), 7);
    const scenario large = make_scenario<reused_and_raced>("test/reused_and_raced");
    search_options how = reusing(2);
    const search_result alone = graph_search(large, how);
    CHECK(alone.executions > 20'000);
    how.resources.jobs = 2;
    const search_result shared = graph_search(large, how);
    CHECK(shared.executions == alone.executions);
    CHECK(shared.outcomes == alone.outcomes);
    CHECK(shared.limits == alone.limits);
}

TEST_CASE("Interchangeable threads that allocate again what was freed lose no outcome") {
    scenario what = make_scenario<reused_and_raced>("test/reused_and_raced");
    const search_result whole = graph_search(what);
    what.interchangeable = {0, 1, 2};
    const search_result reduced = graph_search(what);
    CHECK(outcomes_of(reduced) == outcomes_of(whole));
    CHECK(reduced.verdict == whole.verdict);
    CHECK(reduced.executions < whole.executions);
}

TEST_CASE("An execution in which memory comes back is replayed from its text, whatever the bound") {
    const scenario wrong = make_scenario<replaced_by_address>("test/replaced_by_address");
    const search_result found = graph_search(wrong);
    REQUIRE(found.replay.has_value());
    CHECK(found.replay->text.find("mb1") != std::string::npos);
    for (const unsigned times : {0U, 1U, 3U}) {
        search_options how = reusing(times);
        how.replay = found.replay;
        const search_result again = graph_search(wrong, how);
        CHECK(again.verdict == verdict::violated);
        CHECK(again.kind == found.kind);
        CHECK(same_trace(again.trace, found.trace));
    }
    search_options other = reusing(1);
    other.replay = choices{"mb7"};
    CHECK(graph_search(wrong, other).verdict == verdict::inconclusive);
}

}  // namespace ordeal::model_tests
