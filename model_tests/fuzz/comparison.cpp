// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/comparison.hpp"

#include "model_tests/fuzz/model_machine.hpp"
#include "model_tests/fuzz/shared_search.hpp"
#include "model_tests/fuzz/shrink.hpp"
#include "model_tests/support/search.hpp"

#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/engine/reductions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace ordeal::model_tests::fuzz {

using namespace detail;

namespace {

constexpr std::uint64_t random_executions = 2'000;
constexpr unsigned enough_failures = 20;  // spurious ones, so that no program meets the bound

// A search with few reductions may not come to an end: a loop makes a new execution in each iteration.
constexpr double seconds_with_few_reductions = 2;

struct one_way {
    std::string name;
    scenario what;
    engine* with = nullptr;
    search_options how;
    bool may_be_cut_short = false;  ///< a search that explores much more than is needed
};

std::vector<one_way> ways_of(const program& what) {
    engine* const graph = find_engine("graph");
    if (graph == nullptr) throw std::runtime_error("this program has no engine \"graph\"");
    search_options everything = full_search();
    everything.model = memory_model::rc11;  // the oracle's
    everything.bounds.spurious = enough_failures;
    everything.reductions.retries = everything.reductions.blocked = false;
    search_options fewer = everything;
    fewer.reductions = {};
    search_options weaker = fewer;
    weaker.model = memory_model::cpp20;
    search_options random = random_search(random_executions, 1);
    random.model = everything.model;
    random.bounds.spurious = enough_failures;
    const scenario optimised = with_threads(registered("fuzz/optimised"), what.size);
    std::vector<one_way> result{
        {"-O0", with_threads(registered("fuzz/unoptimised"), what.size), graph, everything},
        {"-O2", optimised, graph, everything},
        {"-O2, two jobs", optimised, &shared_search(), everything},
        {"-O2, all reductions", optimised, graph, fewer},
        {"-O2, load buffering", optimised, graph, weaker},
        {"-O2, random", optimised, graph, random},
    };
    // One reduction for each program, else a program would take three times as long.
    const auto& names = reduction_names();
    const reduction_name& chosen = names[std::hash<std::string>()(to_string(what)) % names.size()];
    const scenario policy = with_threads(policy_has(what) ? over_the_policy() : optimised, what.size);
    const auto add = [&](std::string name, const search_reductions& reductions) {
        search_options how = everything;
        how.reductions = reductions;
        how.resources.seconds = seconds_with_few_reductions;
        result.push_back({std::move(name), policy, graph, how, true});
    };
    search_reductions without;
    without.*chosen.member = false;
    search_reductions alone = no_reductions();
    alone.*chosen.member = true;
    add("no reductions", no_reductions());
    add("without " + std::string(chosen.name), without);
    add(std::string(chosen.name) + " alone", alone);
    if (policy_has(what)) {
        result.push_back({"policy", policy, graph, everything});
        result.push_back({"policy, all reductions", policy, graph, fewer});
    }
    return result;
}

std::vector<search_result> search_all(const std::vector<one_way>& ways, const comparison_options& how) {
    std::vector<search_job> work;
    for (const one_way& each : ways) work.push_back({&each.what, each.with, each.how});
    std::vector<search_result> results(work.size());
    run_isolated(work, {}, {.jobs = 1, .hard_limit = how.seconds}, {},
                 [&](std::size_t job, const search_result& result) {
                     results[job] = result;
                     if (how.tamper) how.tamper(ways[job].name, results[job]);
                     return false;
                 });
    return results;
}

std::string names_of(const std::set<violation_kind>& kinds) {
    std::string text;
    for (const violation_kind each : kinds) text += fmt::format("{}{}", text.empty() ? "" : " or ", to_string(each));
    return text;
}

bool is_whole(const search_result& found) {
    const bool holds = found.verdict == verdict::held || found.verdict == verdict::held_within;
    return holds && !leaves_out_of_rc11(found);
}

class judge {
public:
    judge(const prediction& possible, const prediction& required, comparison& result)
        : possible_(possible), required_(required), result_(result) {}

    void see(const one_way& how, const search_result& found) {
        const bool cut_short = how.may_be_cut_short && !found.complete;
        const bool everything = how.how.strategy.mode == search_mode::full && !cut_short;
        const bool weaker = how.how.model != memory_model::rc11;
        if (found.verdict == verdict::violated) {
            result_.finished &= found.kind != violation_kind::time_out;
            if (weaker && found.kind) return;
            if (!found.kind || !possible_.violations.contains(*found.kind)) {
                say(how, "{}, which the oracle has not: {}", found.kind ? to_string(*found.kind) : "violated",
                    found.message);
            }
            return see_outcomes(how, found, false);
        }
        if (found.verdict == verdict::inconclusive) {
            // Random executions may all be ones that nobody finished, and a bound may end all that a search with few
            // reductions has.
            const bool may_have_none = !everything || how.may_be_cut_short;
            // In a random execution a thread that polls may go on for ever, where the program has a livelock.
            const bool may_be_endless =
                how.how.strategy.mode == search_mode::random && possible_.violations.contains(violation_kind::livelock);
            const bool one_is_endless = found.message.starts_with("an execution went on and on") && !may_be_endless;
            if (one_is_endless || !may_have_none || found.executions > 0) say(how, "inconclusive: {}", found.message);
            return;
        }
        if (everything && !found.complete) say(how, "not complete, {}", to_string(found.verdict));
        const bool limited = everything && leaves_out_of_rc11(found);
        if (limited && !how.may_be_cut_short) {
            for (const limit& each : found.limits) result_.limits.insert(each.sentence);
        }
        if (everything && !limited && !required_.violations.empty()) {
            say(how, "held, but the oracle has {}", names_of(required_.violations));
            return;
        }
        see_outcomes(how, found, everything && !limited);
    }

    // Each execution comes once, however the program was compiled. A loop may be followed for an iteration more here
    // than there, and a retry be recognised.
    void compare_counts(const std::vector<one_way>& ways, const std::vector<search_result>& found) {
        for (std::size_t i = 1; i < ways.size(); ++i) {
            const bool comparable = ways[i].how.strategy.mode == search_mode::full &&
                                    ways[i].how.reductions == ways[0].how.reductions && is_whole(found[i]) &&
                                    is_whole(found[0]);
            if (!comparable || found[i].executions == found[0].executions) continue;
            say(ways[i], "{} executions, but {}: {}", found[i].executions, ways[0].name, found[0].executions);
        }
    }

private:
    // `all`: it must have every outcome.
    void see_outcomes(const one_way& how, const search_result& found, bool all) {
        const bool exact = how.how.model == memory_model::rc11;
        if (exact && !possible_.violations.contains(violation_kind::data_race)) {
            for (const auto& [outcome, times] : found.outcomes) {
                if (!possible_.outcomes.contains(outcome)) say(how, "{} is not possible", outcome);
            }
        }
        if (!all) return;
        for (const std::string& outcome : required_.outcomes) {
            if (!found.outcomes.contains(outcome)) say(how, "{} is missing", outcome);
        }
    }

    template <class... Args>
    void say(const one_way& how, fmt::format_string<Args...> words, Args&&... args) {
        result_.differences += fmt::format("{}: {}\n", how.name, fmt::format(words, std::forward<Args>(args)...));
    }

    const prediction& possible_;
    const prediction& required_;
    comparison& result_;
};

}  // namespace

scenario with_threads(scenario what, std::size_t count) {
    what.threads.clear();
    for (std::size_t i = 0; i < count; ++i) what.threads.push_back(std::to_string(i));
    return what;
}

comparison compare(const program& what, const comparison_options& how) {
    comparison result;
    oracle_options strictly = how.oracle;
    strictly.tries_fail_freely = false;
    const auto possible = predict(what, how.oracle);
    const auto required = predict(what, strictly);
    if (!possible || !required) return result;
    result.predicted = true;
    set_current_program(what);
    const std::vector<one_way> ways = ways_of(what);
    const std::vector<search_result> found = search_all(ways, how);
    judge judge(*possible, *required, result);
    for (std::size_t i = 0; i < ways.size(); ++i) judge.see(ways[i], found[i]);
    if (!has_loops(what)) judge.compare_counts(ways, found);
    return result;
}

program shrink_differing(const program& what, const comparison_options& how) {
    return shrink(what, [&](const program& smaller) {
        const comparison found = compare(smaller, how);
        return found.finished && !found.differences.empty();
    });
}

}  // namespace ordeal::model_tests::fuzz
