// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/portfolio_slices.hpp"

#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/engine/persistence/search_json.hpp"
#include "ordeal/engine/process/memory_limit.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace ordeal::detail::graph {

namespace {

using nlohmann::json;
using clock = explorer::clock;

constexpr unsigned probed_ways = 200;

// Of a slice only what is reported is kept.
tally without_outcomes(tally counted) {
    counted.outcomes.clear();
    counted.examples.clear();
    counted.words.clear();
    return counted;
}

search_options options_for_slices(const search_options& options) {
    search_options result = options;
    result.resources.jobs = 1;
    result.checkpoint.file.clear();
    result.wanted.examples = false;
    result.wanted.atomic_states = false;
    return result;
}

}  // namespace

std::string serialise(const slice_result& slice) {
    search_result carrier;
    carrier.portfolio_results = slice.results;
    return json_text({{"tried", ordeal::detail::serialise(carrier)},
                      {"counted", serialise(part_of_search{slice.counted, {}})},
                      {"expected", slice.expected},
                      {"expected_error", slice.expected_error},
                      {"over", slice.over}});
}

std::optional<slice_result> parse_slice(std::string_view text) {
    try {
        const json parsed = parse_json(text);
        auto part = parse_part(parsed.at("counted").get<std::string>());
        if (!part) return std::nullopt;
        slice_result result;
        auto carrier = deserialise(parsed.at("tried").get<std::string>());
        if (!carrier) return std::nullopt;
        result.results = std::move(carrier->portfolio_results);
        result.counted = std::move(part->counted);
        parsed.at("expected").get_to(result.expected);
        parsed.at("expected_error").get_to(result.expected_error);
        parsed.at("over").get_to(result.over);
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

// First an estimate of the size, by which the search decides whether to try anything; a search with slow executions has
// none yet. Loops learned on the estimate's paths are forgotten, so that the executions after it depend on the seed
// alone.
void sampling_slices::begin(clock::time_point until, slice_result& result) {
    options_ = options_for_slices(options_);
    {
        size_estimate size;
        explorer probing(what_, options_, unseen_);
        size.probe(probing.runner(), probed_ways, until);
        result.expected = size.mean();
        result.expected_error = size.error();
    }
    explorer_.emplace(what_, options_, unseen_);
    // By measurement the two that find bugs first, and each finds some that the other does not:
    // reference-data/performance.md.
    for (const search_mode mode : {search_mode::pos, search_mode::surw}) {
        kinds_.emplace_back(explorer_->runner(), portfolio_result{.mode = mode, .seed = options_.strategy.seed});
    }
}

void sampling_slices::sample(kind& each, clock::time_point until, slice_result& result) {
    tally& counted = result.counted;
    do {
        const std::uint64_t before = counted.executions;
        each.runs.run_one(counted);
        each.result.executions += counted.executions - before;
        if (counted.executions != before) each.different.add(each.runs.graph());
    } while (clock::now() < until && !explorer_->runner().interpreter().run_end.refused() && !counted.found);
    each.result.different = each.different.count();
}

slice_result sampling_slices::take(clock::time_point until) {
    slice_result result;
    if (kinds_.empty()) {
        begin(until, result);
        return result;
    }
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        const auto left = until - clock::now();
        sample(kinds_[i], clock::now() + left / static_cast<int>(kinds_.size() - i), result);
        if (result.counted.found) break;
    }
    result.counted.add(without_outcomes(explorer_->take_tally()));
    result.counted.search_facts.memory_bound = false;
    for (const kind& each : kinds_) {
        if (each.result.executions > 0) result.results.push_back(each.result);
    }
    result.over = beyond_memory_limit();
    return result;
}

bounded_slices::bounded_slices(const scenario& what, const search_options& options, bound_of which)
    : what_(what), own_(options.bounds), which_(which), options_(options_for_slices(options)) {
    options_.strategy.mode = which == bound_of::preemptions ? search_mode::preemptions : search_mode::full;
}

void bounded_slices::begin_bound() {
    const std::uint64_t most = results_.size();
    results_.push_back({.mode = options_.strategy.mode, .bound = most});
    if (which_ == bound_of::preemptions) {
        options_.strategy.bound = most;
    } else {
        options_.bounds.spurious = std::min(own_.spurious, static_cast<unsigned>(most));
        options_.bounds.reuse = std::min(own_.reuse, static_cast<unsigned>(most));
    }
    explorer_.reset();  // stacks have fixed addresses, so only one explorer may exist
    explorer_.emplace(what_, options_, unseen_);
    explorer_->work().emit({});
    left_some_out_ = false;
}

// The search has larger bounds: that these were met says nothing of it.
bool bounded_slices::leaves_some_out(tally& counted) const {
    if (which_ == bound_of::preemptions) return counted.bounded;
    const bool spurious = std::exchange(counted.search_facts.spurious_bound, false);
    const bool reuse = std::exchange(counted.search_facts.reuse_bound, false);
    return spurious || reuse;
}

slice_result bounded_slices::take(clock::time_point until) {
    slice_result result;
    while (!over_ && clock::now() < until) {
        if (results_.empty() || results_.back().complete) begin_bound();
        explorer_->explore(~std::uint64_t{0} >> 1U, until);
        tally counted = without_outcomes(explorer_->take_tally());
        portfolio_result& now = results_.back();
        now.executions += counted.executions;
        left_some_out_ |= leaves_some_out(counted);
        const bool decided = counted.decides();
        now.complete = !decided && explorer_->work().empty();
        const bool next_is_search =
            which_ == bound_of::spurious_failures && now.bound + 1 >= std::max(own_.spurious, own_.reuse);
        over_ = decided || (now.complete && (!left_some_out_ || next_is_search));
        counted.search_facts.memory_bound = false;
        result.counted.add(counted);
    }
    result.results = results_;
    // Where nothing of the kind has been met in a whole slice, there is nothing to bound: this is the search again.
    if (which_ == bound_of::spurious_failures && results_.size() == 1 && !left_some_out_ && !result.counted.found) {
        over_ = true;
        result.results.clear();
    }
    result.over = over_;
    return result;
}

}  // namespace ordeal::detail::graph
