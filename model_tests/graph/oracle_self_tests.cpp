// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is the oracle right? On programs counted by hand, and against two theorems that need no memory model to compute.
#include "model_tests/graph/as_scenario.hpp"
#include "model_tests/graph/classics.hpp"
#include "model_tests/graph/generator.hpp"
#include "model_tests/graph/oracle.hpp"
#include "model_tests/graph/random_seed.hpp"
#include "model_tests/graph/shrink.hpp"
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace ordeal::model_tests::rc11 {

using namespace detail;

namespace {

using outcome_set = std::set<std::string>;

enum class buffers : std::uint8_t { none, one_for_each_thread };

// The outcomes of all interleavings over one memory: sequential consistency by its definition. With a buffer in which each
// thread's stores wait, TSO by its definition (Owens, Sarkar, Sewell, "A Better x86 Memory Model: x86-TSO", TPHOLs 2009).
class interleavings {
public:
    explicit interleavings(const program& what, buffers between = buffers::none) : what_(what), between_(between) {
        state begin;
        begin.next.resize(what.threads.size());
        begin.registers.resize(what.threads.size());
        begin.memory.resize(locations_of(what));
        begin.waiting.resize(what.threads.size());
        go_on(begin);
    }

    [[nodiscard]] const outcome_set& outcomes() const { return outcomes_; }

private:
    struct state {
        std::vector<std::size_t> next;
        std::vector<register_file> registers;
        std::vector<int> memory;
        std::vector<std::vector<std::pair<int, int>>> waiting;  // location and value, oldest first

        auto operator<=>(const state&) const = default;
    };

    void go_on(const state& now) {
        if (!seen_.insert(now).second) return;
        bool ended = true;
        for (std::size_t thread = 0; thread < what_.threads.size(); ++thread) {
            if (!now.waiting[thread].empty()) {
                ended = false;
                go_on(with_oldest_stored(now, thread));
            }
            if (now.next[thread] == what_.threads[thread].size()) continue;
            ended = false;
            if (!may_execute(now, thread)) continue;
            state after = now;
            execute(after, thread);
            ++after.next[thread];
            go_on(after);
        }
        if (ended) outcomes_.insert(outcome_text(what_, now.registers, now.memory));
    }

    static state with_oldest_stored(state now, std::size_t thread) {
        const auto [location, value] = now.waiting[thread].front();
        now.memory[static_cast<std::size_t>(location)] = value;
        now.waiting[thread].erase(now.waiting[thread].begin());
        return now;
    }

    [[nodiscard]] const instruction& next_of(const state& now, std::size_t thread) const {
        return what_.threads[thread][now.next[thread]];
    }

    static bool skipped(const instruction& each, const register_file& held) {
        return each.guard != none && held[static_cast<std::size_t>(each.guard)] != each.guard_value;
    }

    // What is locked, and a fence, waits until the buffer is empty.
    [[nodiscard]] bool may_execute(const state& now, std::size_t thread) const {
        const instruction& each = next_of(now, thread);
        if (now.waiting[thread].empty() || skipped(each, now.registers[thread])) return true;
        if (each.what == operation::load) return true;
        const bool plain = each.what == operation::store || each.what == operation::fence;
        return plain && each.using_order != order::seq_cst;
    }

    void execute(state& now, std::size_t thread) const {
        const instruction& each = next_of(now, thread);
        const register_file& held = now.registers[thread];
        if (skipped(each, held) || each.what == operation::fence) return;
        int& value = now.memory[static_cast<std::size_t>(each.location)];
        std::optional<int>& result = now.registers[thread][now.next[thread]];
        if (each.what == operation::store) {
            const int stored =
                each.source == none ? each.value : held[static_cast<std::size_t>(each.source)].value_or(0);
            if (between_ == buffers::none || each.using_order == order::seq_cst) {
                value = stored;
            } else {
                now.waiting[thread].emplace_back(each.location, stored);
            }
            return;
        }
        result = value;
        if (each.what == operation::load) {
            for (const auto& [location, stored] : now.waiting[thread]) {
                if (location == each.location) result = stored;
            }
        }
        if (each.what == operation::exchange) value = each.value;
        if (each.what == operation::fetch_add) value += each.value;
        if (each.what == operation::compare_exchange && value == each.expected) value = each.value;
    }

    const program& what_;
    buffers between_;
    std::set<state> seen_;
    outcome_set outcomes_;
};

outcome_set outcomes_of(const program& what, memory_model which = memory_model::rc11) {
    const auto found = count_executions(what, {.wanted = {.model = which}, .prune = true});
    REQUIRE(found.has_value());
    outcome_set result;
    for (const auto& [outcome, count] : found->outcomes) result.insert(outcome);
    return result;
}

program with_every_order_seq_cst(program what) {
    for (thread_code& code : what.threads) {
        for (instruction& each : code) each.using_order = each.failure = order::seq_cst;
    }
    return what;
}

// Registers keep their order, and with that the outcomes their text.
program relaxed_with_fences_between(const program& what) {
    program result;
    for (const thread_code& code : what.threads) {
        thread_code& fenced = result.threads.emplace_back();
        for (instruction each : code) {
            if (!fenced.empty()) fenced.push_back(fence(order::seq_cst));
            each.using_order = each.failure = order::relaxed;
            if (each.guard != none) each.guard *= 2;
            if (each.source != none) each.source *= 2;
            fenced.push_back(each);
        }
    }
    return result;
}

template <class Check>
void for_random_programs(const program_shape& shape, std::uint64_t count, Check check) {
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const program what = random_program(shape, seed);
        CAPTURE(seed);
        INFO(to_string(what));
        check(what);
    }
}

}  // namespace

TEST_CASE("The oracle gives the known answers on the programs of the literature") {
    for (const classic_group& group : classics()) {
        CAPTURE(group.title);
        REQUIRE_FALSE(group.programs.empty());
        for (const classic& each : group.programs) {
            CAPTURE(each.name, each.outcome);
            INFO(to_string(each.what));
            const auto found = count_executions(each.what);
            REQUIRE(found.has_value());
            CHECK(found->outcomes.contains(each.outcome) == each.allowed);
            CHECK(found->executions == each.executions);
        }
    }
}

TEST_CASE("The oracle: with every order seq_cst, the outcomes are those of all interleavings") {
    const auto check = [](const program& random) {
        const program what = with_every_order_seq_cst(random);
        CHECK(outcomes_of(what) == interleavings(what).outcomes());
    };
    for_random_programs({.threads = 2, .locations = 3, .fences = share::none}, 200, check);
    for_random_programs({.threads = 3, .locations = 3, .instructions = 3, .fences = share::none}, 100, check);
}

TEST_CASE("The oracle: with seq_cst fences between all accesses, the outcomes are those of all interleavings") {
    const auto check = [](const program& random) {
        CHECK(outcomes_of(relaxed_with_fences_between(random)) == interleavings(random).outcomes());
    };
    for_random_programs({.threads = 2, .locations = 3, .instructions = 2, .fences = share::none}, 200, check);
    for_random_programs({.threads = 3, .locations = 3, .instructions = 2, .fences = share::none}, 200, check);
}

TEST_CASE("The oracle: every outcome of an interleaving is one of the memory model") {
    for_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 150, [](const program& what) {
        CHECK(std::ranges::includes(outcomes_of(what), interleavings(what).outcomes()));
    });
}

TEST_CASE("The oracle: the axioms of sequential consistency give the outcomes of all interleavings") {
    const auto check = [](const program& what) {
        CHECK(outcomes_of(what, memory_model::sc) == interleavings(what).outcomes());
    };
    for_random_programs({.threads = 2, .locations = 3}, 300, check);
    for_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 200, check);
}

TEST_CASE("The oracle: the axioms of TSO give the outcomes of store buffers over one memory") {
    const auto check = [](const program& what) {
        CHECK(outcomes_of(what, memory_model::tso) == interleavings(what, buffers::one_for_each_thread).outcomes());
    };
    for_random_programs({.threads = 2, .locations = 3}, 500, check);
    for_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 200, check);
    for_random_programs({.threads = 3, .locations = 2, .instructions = 3, .fences = share::most}, 200, check);
}

TEST_CASE("The oracle: each memory model has the outcomes of the stronger ones") {
    for_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 200, [](const program& what) {
        const outcome_set under_tso = outcomes_of(what, memory_model::tso);
        CHECK(std::ranges::includes(outcomes_of(what), under_tso));
        CHECK(std::ranges::includes(under_tso, outcomes_of(what, memory_model::sc)));
    });
}

// Relacy misses some outcomes and, with seq_cst fences, shows some that there are not; of the rest it has its own idea.
TEST_CASE("The oracle: every outcome that Relacy shows, without seq_cst fences, is one of the memory model") {
    const auto check = [](const program& what) {
        const search_result found = search(as_scenario(what), full_search());
        REQUIRE(found.complete);
        REQUIRE(found.verdict == verdict::held_within);
        REQUIRE_FALSE(found.outcomes.empty());
        const outcome_set expected = outcomes_of(what);
        for (const auto& [outcome, count] : found.outcomes) {
            CAPTURE(outcome);
            CHECK(expected.contains(outcome));
        }
    };
    for_random_programs({.locations = 3, .instructions = 3, .fences = share::none}, 150, check);
    for_random_programs({.locations = 3, .instructions = 3, .seq_cst = share::none}, 150, check);
    for_random_programs({.threads = 3, .locations = 3, .instructions = 2, .fences = share::none}, 150, check);
}

TEST_CASE("The oracle: dropping inconsistent beginnings changes no count") {
    const auto check = [](const program& what) {
        const auto everything = count_executions(what, {.limit = 20'000});
        if (everything) CHECK(count_executions(what, {.prune = true}) == everything);
    };
    for_random_programs({.threads = 2, .locations = 2, .seq_cst = share::most}, 150, check);
    for_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 100, check);
}

TEST_CASE("The oracle: executions have no number beyond its limit") {
    const program what{{{store(0, 1, order::relaxed)}, {store(0, 2, order::relaxed)}}};
    CHECK(count_executions(what)->executions == 2);
    CHECK_FALSE(count_executions(what, {.limit = 3}).has_value());
}

TEST_CASE("The oracle: each axiom rules something out") {
    const program two_increments{{{fetch_add(0, 1, order::relaxed)}, {store(0, 5, order::relaxed)}}};
    CHECK(count_executions(two_increments)->executions == 2);
    CHECK(count_executions(two_increments, {.wanted = {.atomicity = false}})->executions == 3);
    const program two_reads{{{store(0, 1, order::relaxed)}, {load(0, order::relaxed), load(0, order::relaxed)}}};
    CHECK(count_executions(two_reads)->executions == 3);
    CHECK(count_executions(two_reads, {.wanted = {.coherence = false}})->executions == 4);
    const program buffering{{{store(0, 1, order::seq_cst), load(1, order::seq_cst)},
                             {store(1, 1, order::seq_cst), load(0, order::seq_cst)}}};
    CHECK(count_executions(buffering)->executions == 3);
    CHECK(count_executions(buffering, {.wanted = {.seq_cst = false}})->executions == 4);
}

TEST_CASE("A seed gives the same program every time, and other seeds others") {
    std::set<std::string> programs;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const program what = random_program({}, seed);
        CHECK(what == random_program({}, seed));
        programs.insert(to_string(what));
    }
    CHECK(programs.size() > 90);
}

TEST_CASE("A program shrinks to what its failure needs") {
    const auto weak = [](const program& what) {
        const outcome_set found = outcomes_of(what);
        return found != interleavings(what).outcomes();
    };
    int shrunk = 0;
    for_random_programs({.threads = 3, .locations = 2, .instructions = 3}, 40, [&](const program& what) {
        if (!weak(what)) return;
        const program small = shrink(what, weak);
        INFO(to_string(small));
        CHECK(weak(small));
        // No program with a weak outcome is smaller than two threads of two accesses.
        std::size_t instructions = 0;
        for (const thread_code& code : small.threads) instructions += code.size();
        CHECK(small.threads.size() == 2);
        CHECK(instructions == 4);
        ++shrunk;
    });
    CHECK(shrunk > 0);
}

}  // namespace ordeal::model_tests::rc11
