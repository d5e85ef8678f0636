// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models of processors: against what the literature says of its programs, against another definition of TSO, and
// against RC11, which every processor keeps with the instructions that compilers use. ORDEAL_SEED and ORDEAL_PROGRAMS
// in the environment choose other programs, and more of them.
#include "model_tests/graph/as_scenario.hpp"
#include "model_tests/graph/classics.hpp"
#include "model_tests/graph/generator.hpp"
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/oracle.hpp"
#include "model_tests/graph/random_seed.hpp"
#include "model_tests/processors/known_programs.hpp"

#include "ordeal/explain/explanation_parts.hpp"
#include "ordeal/processors/allowance.hpp"
#include "ordeal/processors/processor_models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::model_tests::rc11 {

using namespace detail;
using processors::allowance;

namespace {

// Initialisations are none, and the halves of a read-modify-write are one.
std::vector<processors::source_event> operations_of(const execution& graph) {
    std::vector<processors::source_event> result;
    std::map<std::size_t, std::size_t> made;
    for (std::size_t i = 0; i < graph.events.size(); ++i) {
        const event& each = graph.events[i];
        if (each.thread < 0) continue;
        made[i] = result.size();
        if (each.kind == event_kind::write && each.modifies) {
            --made[i];
            continue;
        }
        auto what = processors::operation::fence;
        if (each.kind == event_kind::write) what = processors::operation::store;
        if (each.kind == event_kind::read) {
            what = processors::operation::load;
            if (each.compares) what = processors::operation::failed_compare_exchange;
            if (each.modifies && each.compares) what = processors::operation::compare_exchange;
            if (each.modifies && !each.compares) what = processors::operation::exchange;
        }
        result.push_back({.thread = each.thread,
                          .what = what,
                          .using_order = each.using_order,
                          .location = static_cast<std::size_t>(each.location + 1)});
        if (each.kind == event_kind::read && graph.events[each.source].thread >= 0)
            result.back().reads_from = made.at(each.source);
    }
    for (const auto& writes : graph.coherence) {
        for (std::size_t place = 1; place < writes.size(); ++place) result[made.at(writes[place])].coherence = place;
    }
    return result;
}

bool may_show(target which, const execution& graph) {
    return processors::allowance_of(which, operations_of(graph)) != allowance::forbidden;
}

// What holds on every processor without a look at instructions.
constexpr axioms given{.coherence = false, .seq_cst = false};

census_options shown_by(target which) {
    return {.wanted = given,
            .also = [which](const execution& graph) { return coherent_by_location(graph) && may_show(which, graph); },
            .limit = 20'000};
}

template <class Check>
void for_each_random_program(Check check) {
    const std::uint64_t count = from_environment("ORDEAL_PROGRAMS", 60);
    const std::uint64_t first = first_seed();
    std::vector<program> originals;
    for (const classic_group& group : classics()) {
        for (const classic& each : group.programs) originals.push_back(each.what);
    }
    const std::array shapes{program_shape{.locations = 3},
                            program_shape{.threads = 3, .locations = 3, .instructions = 3},
                            program_shape{.threads = 3, .locations = 2, .instructions = 2, .seq_cst = share::most},
                            program_shape{.instructions = 4, .modifications = share::most, .fences = share::most}};
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        INFO("ORDEAL_SEED=" << seed << " ORDEAL_PROGRAMS=1 makes these programs alone");
        for (const program_shape& shape : shapes) check(random_program(shape, seed));
        check(random_variation(originals[seed % originals.size()], seed));
    }
}

constexpr auto no = allowance::forbidden;
constexpr auto dep = allowance::unless_dependent;
constexpr auto yes = allowance::allowed;

// The most that an execution with the outcome is allowed.
allowance shown(const known_program& of, target which) {
    allowance most = no;
    for (const allowance wanted : {dep, yes}) {
        const auto found =
            count_executions(of.what, {.wanted = {}, .also = [&](const execution& graph) {
                                           return processors::allowance_of(which, operations_of(graph)) >= wanted;
                                       }});
        REQUIRE(found);
        if (found->outcomes.contains(of.outcome)) most = wanted;
    }
    return most;
}

}  // namespace

TEST_CASE("A processor shows of the programs of the literature what it is known to show") {
    for (const known_program& each : known_programs()) {
        for (const target which : all_targets) {
            CAPTURE(each.name, to_string(which));
            CHECK(to_string(shown(each, which)) == to_string(each.shown[static_cast<std::size_t>(which)]));
        }
    }
}

TEST_CASE("Of an execution that the engine shows the same processors are named") {
    for (const known_program& each : known_programs()) {
        if (std::ranges::count(each.shown, no) == all_targets.size()) continue;  // RC11 forbids it
        CAPTURE(each.name);
        const scenario what = as_scenario(each.what);
        search_options how = full_search();
        how.wanted.examples = true;
        const search_result searched = graph_search(what, how);
        const auto example = searched.examples.find(each.outcome);
        REQUIRE(example != searched.examples.end());
        how.replay = choices{example->second.path};
        const search_result shown_again = graph_search(what, how);
        REQUIRE_FALSE(shown_again.trace.empty());
        const auto found = on_processors(trace_relations(shown_again.trace), {});
        REQUIRE(found);
        for (const target which : all_targets) {
            const auto at = static_cast<std::size_t>(which);
            CAPTURE(to_string(which));
            CHECK(to_string((*found)[at]) == to_string(each.shown[at]));
        }
    }
}

TEST_CASE("x86-64 shows of random programs the executions of TSO, by another definition") {
    std::uint64_t compared = 0;
    for_each_random_program([&](const program& what) {
        INFO(to_string(what));
        const auto expected = count_executions(what, {.wanted = {.model = memory_model::tso}, .limit = 20'000});
        const auto found = count_executions(what, shown_by(target::x86_64));
        if (!expected || !found) return;
        ++compared;
        CHECK(*found == *expected);
    });
    CHECK(compared != 0);
}

TEST_CASE("What a processor shows is an execution of RC11") {
    const auto check = [](const program& what) {
        INFO(to_string(what));
        for (const target which : all_targets) {
            CAPTURE(to_string(which));
            const census_options all = shown_by(which);
            census_options of_rc11 = all;
            of_rc11.also = [&](const execution& graph) { return consistent(graph) && all.also(graph); };
            CHECK(count_executions(what, of_rc11) == count_executions(what, all));
        }
    };
    for (const known_program& each : known_programs()) check(each.what);
    for_each_random_program(check);
}

}  // namespace ordeal::model_tests::rc11
