// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/search_session.hpp"

#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/search/shards.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/engine/unchecked_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ordeal::detail::graph {

namespace {

// What holds in a stronger model than C++ has need not hold in all of its executions.
std::string words_for_model(memory_model which) {
    if (which == memory_model::cpp20_letter)
        return "only what the letter of C++20 allows was explored, not all that implementations may show (--model "
               "cpp20-letter)";
    return fmt::format("only the executions of {} were explored, not all that C++ has (--model {})", name_of(which),
                       to_string(which));
}

// What follows a race is one of several possibilities: the value of the racy read is one of several.
limit_effect effect_of(violation_kind accepted) {
    switch (accepted) {
        case violation_kind::notification_after_destruction: return limit_effect::bounds;
        case violation_kind::data_race: return limit_effect::unseen;
        default: return limit_effect::hides;
    }
}

limit limit_of(const accepted_violation& met) {
    const std::string kind{to_string(met.kind)};
    const std::string where = met.file.empty() ? "" : met.file + ":" + std::to_string(met.line);
    const std::string times = std::to_string(met.executions);
    std::map<std::string, std::string> values{{"kind", kind}, {"executions", times}};
    if (!where.empty()) values["where"] = where;
    return {"accepted",
            kind + (where.empty() ? "" : " at " + where) + " was accepted, in " + times +
                (times == "1" ? " execution" : " executions"),
            effect_of(met.kind), std::move(values)};
}

// Whether a larger bound, explored to its end as well, says all that this one does.
bool is_covered(const portfolio_result& by_bound, const search_result& result) {
    return by_bound.complete && std::ranges::any_of(result.portfolio_results, [&](const portfolio_result& other) {
               return other.mode == by_bound.mode && other.complete && other.bound > by_bound.bound;
           });
}

void add_portfolio_results(const search_result& result, std::vector<limit>& limits) {
    for (const portfolio_result& each : result.portfolio_results) {
        if (is_covered(each, result)) continue;
        if (each.mode == search_mode::preemptions) {
            limits.push_back(tried_preemptions(each.bound, each.executions, each.complete));
        } else if (each.mode == search_mode::full) {
            limits.push_back(tried_spurious_failures(each.bound, each.executions, each.complete));
        } else {
            limits.push_back(tried_sampling(each));
        }
    }
}

// The estimate ignores bounds and interchangeable threads: a share of it would be too small.
unfinished_search how_far(const ended_search& of, const search_result& result) {
    unfinished_search far{.executions = result.executions};
    far.pairs = result.seen.pairs;
    far.newest_pair_after = result.seen.newest_pair_after;
    if (of.time_is_over) far.seconds = of.options.resources.seconds;
    if (is_random(of.options.strategy.mode)) far.of = of.options.strategy.bound;
    if (of.options.strategy.mode == search_mode::preemptions || of.options.shard.count > 0 ||
        of.explored.reduction_of_graphs().leaves_out())
        return far;
    far.expected = of.progress.expected;
    far.expected_error = of.progress.expected_error;
    return far;
}

// The bound under the options of the search.
unsigned most_of(const exploration_bound& which, const search_options& options, unsigned length) {
    if (which.reached == &search_facts::spurious_bound) return options.bounds.spurious;
    if (which.reached == &search_facts::length_bound) return length;
    if (which.reached == &search_facts::memory_bound) return static_cast<unsigned>(options.resources.memory >> 20U);
    return which.reached == &search_facts::reuse_bound ? options.bounds.reuse : which.most;
}

void add_bounds_met(const ended_search& of, std::vector<limit>& limits) {
    for (const exploration_bound& each : exploration_bounds()) {
        if (!(of.total.search_facts.*each.reached)) continue;
        const unsigned most = most_of(each, of.options, length_of(of.options, of.what));
        std::map<std::string, std::string> values;
        if (most != 0 || each.option != nullptr) values["most"] = std::to_string(most);
        limits.emplace_back(each.id, each.words(most), each.effect, std::move(values));
    }
}

// Of several writes that may be made before a read, for it to read from the same write, one is named. Where a processor
// lets it, the letter of C++20 needs no word of its own.
std::vector<lb_site_names> named_patterns(const std::set<lb_site_names>& met, bool only_by_letter) {
    std::vector<lb_site_names> result;
    for (const lb_site_names& each : met) {
        if (each.only_by_letter != only_by_letter) continue;
        const auto is_about_these = [&](const lb_site_names& other) {
            return other.read == each.read && other.source == each.source;
        };
        const bool on_processors = std::ranges::any_of(
            met, [&](const lb_site_names& other) { return !other.only_by_letter && is_about_these(other); });
        if (only_by_letter && on_processors) continue;
        if (std::ranges::none_of(result, is_about_these)) result.push_back(each);
    }
    return result;
}

void add_mixed_sizes(const search_facts& met, std::vector<limit>& limits) {
    if (met.part_access.empty()) return;
    limits.push_back(
        {"mixed-sizes",
         "mixed sizes: the operation at " + met.part_access +
             " is on a part of another atomic, which C++20 does not define; all writes to their bytes were "
             "taken to have one order",
         limit_effect::hides,
         {{"where", met.part_access}}});
}

// One is enough: the first by name, so that every search reports the same.
void add_load_buffering(const std::set<lb_site_names>& met, bool only_by_letter, std::vector<limit>& limits) {
    const std::vector<lb_site_names> named = named_patterns(met, only_by_letter);
    if (named.empty()) return;
    const auto first = named.begin();
    const std::size_t places = named.size();
    std::string words =
        only_by_letter
            ? "by the letter of C++20, and on no processor, the {} may read from the {}, with the {} made before it"
            : "load buffering was not explored: the {} may read from the {} if the {} is made before it";
    words = fmt::format(fmt::runtime(words), first->read, first->source, first->promised);
    if (places > 1) words += fmt::format("; and {} more", places - 1);
    std::map<std::string, std::string> values;
    values["read"] = first->read;
    values["promised"] = first->promised;
    values["source"] = first->source;
    values["places"] = std::to_string(places);
    if (only_by_letter) {
        limits.emplace_back("load-buffering-by-letter", std::move(words), limit_effect::assumes, std::move(values));
    } else {
        limits.emplace_back("load-buffering", std::move(words), limit_effect::hides, std::move(values));
    }
}

}  // namespace

std::vector<limit> limits_of(const ended_search& of, const search_result& result) {
    std::vector<limit> limits;
    if (of.options.shard.count > 0) limits.push_back(limit_of_shard(of.options.shard.index, of.options.shard.count));
    if (of.cut_short) limits.push_back(cut_short_after(how_far(of, result)));
    of.explored.reduction_of_graphs().add_limits(limits);
    add_portfolio_results(result, limits);
    for (const unsigned each : of.unfinished_shards) {
        limits.push_back(limit_of_unfinished_shard(each, of.options.shard.parts.size()));
    }
    if (is_random(of.options.strategy.mode)) {
        limits.push_back(random_executions(result.executions, of.options.strategy.seed));
    }
    if (!uses_memory_orders(of.options.model) || of.options.model == memory_model::cpp20_letter) {
        limits.push_back({"memory-model",
                          words_for_model(of.options.model),
                          limit_effect::hides,
                          {{"model", std::string(to_string(of.options.model))}}});
    }
    if (of.total.bounded) limits.push_back(at_most_preemptions(of.options.strategy.bound));
    add_bounds_met(of, limits);
    add_load_buffering(of.total.search_facts.lb_patterns, false, limits);
    add_load_buffering(of.total.search_facts.lb_patterns, true, limits);
    add_mixed_sizes(of.total.search_facts, limits);
    for (const auto& [what, where] : of.total.search_facts.limits) limits.push_back(limit_of_unseen(what, where));
    std::ranges::move(unseen_limits(of.what), std::back_inserter(limits));
    for (const accepted_violation& each : result.accepted) limits.push_back(limit_of(each));
    return limits;
}

}  // namespace ordeal::detail::graph
