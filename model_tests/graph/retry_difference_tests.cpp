// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retries that look redundant, and are not: in what the execution without the iteration differs is not in the memory of
// the program, or not yet.
#include "model_tests/graph/graph_search.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Only a thread that has read the first store knows of the free, and may be given the block. The second one hands over
// nothing.
template <class P>
struct learns_of_a_free {
    static constexpr auto threads = std::array{"allocates", "frees"};
    atomic_int<P> x{0};
    int* old = nullptr;
    bool same = false;

    void run(int thread) {
        if (thread == 1) {
            auto* const block = new int(1);
            old = block;
            delete block;
            x.store(1, release);
            x.store(2, relaxed);
            return;
        }
        int seen = x.load(acquire);
        while (!x.compare_exchange_strong(seen, seen + 10, relaxed, acquire)) {
        }
        if (seen != 2) return;
        auto* const block = new int(2);
        same = block == old;
        delete block;
    }
    void finish() { require(!same, "the block has come back"); }
};

// The same of iterations of a loop that waits: each of two has to be made, and the state is as it was.
template <class P>
struct learns_while_it_waits {
    static constexpr auto threads = std::array{"waits and allocates", "frees", "frees too"};
    atomic_int<P> x{0};
    atomic_int<P> ready{0};
    std::array<int*, 2> old{};
    std::array<int*, 2> given{};

    void run(int thread) {
        if (thread > 0) {
            const auto which = static_cast<std::size_t>(thread - 1);
            old[which] = new int(1);
            delete old[which];
            x.store(thread, release);
            if (thread == 2) ready.store(1, relaxed);
            return;
        }
        while (ready.load(relaxed) == 0) (void)x.load(acquire);
        for (int*& each : given) each = new int(2);
    }
    void finish() {
        for (const int* const each : given) delete each;
        require(given != old, "both blocks have come back");
    }
};

// Only a thread that has waited has looked at its cell.
template <class P>
struct looks_at_a_cell_while_it_waits {
    static constexpr auto threads = std::array{"waits", "waits too", "ends both", "writes"};
    std::array<cell_int<P>, 2> data{cell_int<P>{0}, cell_int<P>{0}};
    cell_int<P> common{0};
    atomic_int<P> always{1};
    atomic_int<P> ready{0};
    atomic_int<P> past{0};

    // In functions of their own, and each called before, so that an iteration leaves nothing new on the stack.
    [[gnu::noinline]] static bool is_set(const atomic_int<P>& flag) { return flag.load(relaxed) == 1; }
    [[gnu::noinline]] static void look_at(const cell_int<P>& mine) { (void)mine.read(); }
    [[gnu::noinline]] void wait(const cell_int<P>& mine) const {
        look_at(common);
        (void)is_set(always);
        look_at(common);
        while (!is_set(ready)) look_at(mine);
    }
    void run(int thread) {
        if (thread == 0) {
            wait(data[0]);
        } else if (thread == 1) {
            wait(data[1]);
            past.store(1, relaxed);
        } else if (thread == 2) {
            ready.store(1, relaxed);
        } else if (past.load(relaxed) == 1) {
            data[1].write() = 1;
        }
    }
};

// The same of an atomic whose life ends: of a look, or of a notification.
template <class P, bool Notifies>
struct uses_an_atomic_while_it_waits {
    static constexpr auto threads = std::array{"waits", "waits too", "ends both", "destroys"};
    std::array<std::optional<atomic_int<P>>, 2> others;
    atomic_int<P> always{1};
    atomic_int<P> ready{0};
    atomic_int<P> past{0};

    uses_an_atomic_while_it_waits() {
        for (auto& each : others) each.emplace(0);
    }
    [[gnu::noinline]] static bool is_set(const atomic_int<P>& flag) { return flag.load(relaxed) == 1; }
    [[gnu::noinline]] static void look_at(atomic_int<P>& other) {
        if (Notifies) {
            other.notify_one();
        } else {
            (void)is_set(other);
        }
    }
    [[gnu::noinline]] void wait(atomic_int<P>& other) {
        look_at(always);
        (void)is_set(always);
        look_at(always);
        while (!is_set(ready)) look_at(other);
    }
    void run(int thread) {
        if (thread < 2) {
            wait(*others[static_cast<std::size_t>(thread)]);
            if (thread == 1) past.store(1, relaxed);
        } else if (thread == 2) {
            ready.store(1, relaxed);
        } else if (past.load(relaxed) == 1) {
            others[1].reset();
        }
    }
};

template <class P>
struct looks_at_an_atomic_while_it_waits : uses_an_atomic_while_it_waits<P, false> {};
template <class P>
struct notifies_while_it_waits : uses_an_atomic_while_it_waits<P, true> {};

// The cell has a value only if the load has found the store. What is written there is what the memory of the cell holds
// anyway.
template <class P>
struct writes_what_is_there {
    static constexpr auto threads = std::array{"reads", "stores"};
    cell_int<P> data;
    atomic_int<P> x{0};
    atomic_int<P> other{0};

    void run(int thread) {
        if (thread == 1) {
            x.store(1, relaxed);
            return;
        }
        if (x.load(relaxed) == 1) data.write() = 0;
        const int now = x.load(relaxed);
        if (other.load(relaxed) == 0 && now == 1) (void)data.read();
    }
};

// What an atomic began with is the engine's.
template <class P>
struct begins_with_what_was_read {
    static constexpr auto threads = std::array{"reads", "stores"};
    atomic_int<P> x{0};
    int found = -1;

    void run(int thread) {
        if (thread == 1) {
            x.store(1, relaxed);
            return;
        }
        atomic_int<P> copy{x.load(relaxed)};
        const int now = x.load(relaxed);
        found = 10 * now + copy.load(relaxed);
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(found); }
};

// A load that is seq_cst, of the store that a failure has read, would be ordered after the store before that: then both
// threads cannot find nothing. The failure acquires, so it knows as much.
template <class P>
struct fails_behind_the_order {
    static constexpr auto threads = std::array{"stores x twice", "x, y", "y, x"};
    atomic_int<P> x{0};
    atomic_int<P> y{0};
    std::array<int, 3> found{};

    void run(int thread) {
        if (thread == 0) {
            x.store(1, seq_cst);
            x.store(2, release);
        } else if (thread == 1) {
            int seen = x.load(seq_cst);
            while (!x.compare_exchange_strong(seen, seen + 10, relaxed, acquire)) {
            }
            found[0] = seen;
            found[1] = y.load(seq_cst);
        } else {
            y.store(1, seq_cst);
            found[2] = x.load(seq_cst);
        }
    }
    [[nodiscard]] std::string outcome() const { return fmt::format("{},{},{}", found[0], found[1], found[2]); }
};

// Whoever has seen the change between its two looks has told nobody.
template <class P>
struct tells_of_what_was_read {
    static constexpr auto threads = std::array{"looks twice", "changes", "waits"};
    atomic_int<P> ready{0};
    atomic_int<P> x{0};
    atomic_int<P> other{0};

    void run(int thread) {
        if (thread == 1) {
            x.store(1, relaxed);
        } else if (thread == 2) {
            ready.wait(0, relaxed);
        } else {
            ready.store(1, relaxed);
            if (x.load(relaxed) == 1) ready.notify_one();
            if (x.load(relaxed) == 0) ready.notify_one();
            (void)other.load(relaxed);
        }
    }
};

template <template <class> class Scenario>
void check_same() {
    const scenario what = make_scenario<Scenario>("retries");
    const search_result some = graph_search(what);
    const search_result all = graph_search(what, following_all());
    CAPTURE(some.message, all.message, some.executions, all.executions, some.limits, all.limits);
    CHECK(to_string(some.verdict) == to_string(all.verdict));
    CHECK(some.kind == all.kind);
    CHECK(outcomes_of(some) == outcomes_of(all));
}

}  // namespace

TEST_CASE("A retry that has learned of freed memory is followed") {
    check_same<learns_of_a_free>();
    check_violated(make_scenario<learns_of_a_free>("retries"), violation_kind::failed_requirement);
}

TEST_CASE("An iteration of a loop that waits accesses what is not accessed without it") {
    check_violated(make_scenario<looks_at_a_cell_while_it_waits>("waits"), violation_kind::data_race);
    check_violated(make_scenario<looks_at_an_atomic_while_it_waits>("waits"),
                   violation_kind::unsynchronised_destruction);
    check_violated(make_scenario<notifies_while_it_waits>("waits"), violation_kind::notification_after_destruction);
}

TEST_CASE("An iteration of a loop that has learned of freed memory is another state") {
    check_violated(make_scenario<learns_while_it_waits>("waits"), violation_kind::failed_requirement);
}

TEST_CASE("A retry without which more has been written is followed") { check_same<writes_what_is_there>(); }
TEST_CASE("A retry without which an atomic begins with another value is followed") {
    check_same<begins_with_what_was_read>();
}
TEST_CASE("A retry that is less in the order of seq_cst than without it is followed") {
    check_same<fails_behind_the_order>();
}
TEST_CASE("A retry without which another thread is told is followed") { check_same<tells_of_what_was_read>(); }

}  // namespace ordeal::model_tests
