// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/exploration/fallback_turns.hpp"

#include "ordeal/engine/graph/exploration/run_allowance.hpp"
#include "ordeal/engine/graph/exploration/size_estimate.hpp"
#include "ordeal/engine/memory_limit.hpp"
#include "ordeal/engine/result_json.hpp"

#include <nlohmann/json.hpp>

#include <exception>
#include <utility>

namespace ordeal::graph {

namespace {

using nlohmann::json;
using clock = explorer::clock;

constexpr unsigned ways = 200;
// After a violation, for one that is simpler to read.
constexpr std::uint64_t further_runs = most_further_runs / 10;

// Of what comes beside a search only what is said of it is kept.
tally told(tally counted) {
    counted.outcomes.clear();
    counted.examples.clear();
    counted.words.clear();
    return counted;
}

search_options options_for_turns(const search_options& how) {
    search_options result = how;
    result.jobs = 1;
    result.checkpoint.clear();
    result.examples = false;
    result.words = false;
    return result;
}

}  // namespace

std::string serialise(const turn_result& turn) {
    search_result carrier;
    carrier.tried = turn.tried;
    return json{{"tried", ordeal::serialise(carrier)},
                {"counted", serialise(part_of_search{turn.counted, {}})},
                {"expected", turn.expected},
                {"expected_error", turn.expected_error},
                {"over", turn.over}}
        .dump();
}

std::optional<turn_result> parse_turn(std::string_view text) {
    try {
        const json parsed = json::parse(text);
        auto part = parse_part(parsed.at("counted").get<std::string>());
        if (!part) return std::nullopt;
        turn_result result;
        auto carrier = deserialise(parsed.at("tried").get<std::string>());
        if (!carrier) return std::nullopt;
        result.tried = std::move(carrier->tried);
        result.counted = std::move(part->counted);
        parsed.at("expected").get_to(result.expected);
        parsed.at("expected_error").get_to(result.expected_error);
        parsed.at("over").get_to(result.over);
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

// An estimate first, by which the search decides whether to try anything: one whose executions are slow has none yet. What its ways learn of loops is forgotten with them, so
// that the executions after it depend on the seed alone.
void sampling_turns::begin(clock::time_point until, turn_result& result) {
    how_ = options_for_turns(how_);
    {
        size_estimate size;
        explorer probing(what_, how_, unseen_);
        size.probe(probing.runs_of(), ways, until);
        result.expected = size.mean();
        result.expected_error = size.error();
    }
    explorer_.emplace(what_, how_, unseen_);
    for (const unsigned depth : {0U, how_.depth}) {
        tried_search tried;
        tried.mode = depth == 0 ? search_mode::random : search_mode::pct;
        tried.depth = depth;
        tried.seed = how_.seed;
        kinds_.emplace_back(what_, explorer_->runs_of(), tried);
    }
}

void sampling_turns::sample(kind& each, clock::time_point until, turn_result& result) {
    tally& counted = result.counted;
    std::uint64_t further = further_runs;
    do {
        const std::uint64_t before = counted.executions;
        each.runs.run_one(counted);
        each.tried.executions += counted.executions - before;
        if (counted.executions != before) each.different.add(each.runs.graph());
        if (counted.found) --further;
    } while (clock::now() < until && !explorer_->runs_of().parts().end.refused() && further > 0);
    each.tried.different = each.different.count();
}

turn_result sampling_turns::take(clock::time_point until) {
    turn_result result;
    if (kinds_.empty()) {
        begin(until, result);
        return result;
    }
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        const auto left = until - clock::now();
        sample(kinds_[i], clock::now() + left / static_cast<int>(kinds_.size() - i), result);
        if (result.counted.found) break;
    }
    result.counted.add(told(explorer_->take_tally()));
    result.counted.met.memory_bound = false;
    for (const kind& each : kinds_) {
        if (each.tried.executions > 0) result.tried.push_back(each.tried);
    }
    result.over = beyond_memory_limit();
    return result;
}

bounded_turns::bounded_turns(const scenario& what, const search_options& how)
    : what_(what), how_(options_for_turns(how)) {
    how_.mode = search_mode::preemptions;
}

void bounded_turns::begin_bound() {
    how_.bound = tried_.size();
    tried_.push_back({.mode = search_mode::preemptions, .bound = how_.bound});
    explorer_.reset();  // stacks have their addresses, so there is one at a time
    explorer_.emplace(what_, how_, unseen_);
    explorer_->work().emit({});
    left_some_out_ = false;
}

turn_result bounded_turns::take(clock::time_point until) {
    turn_result result;
    while (!over_ && clock::now() < until) {
        if (tried_.empty() || tried_.back().complete) begin_bound();
        explorer_->explore(~std::uint64_t{0} >> 1U, until);
        tally counted = told(explorer_->take_tally());
        tried_search& now = tried_.back();
        now.executions += counted.executions;
        left_some_out_ |= counted.bounded;
        const bool decided = counted.found || !counted.met.refused.empty() || counted.met.memory_bound;
        now.complete = !decided && explorer_->work().empty();
        over_ = decided || (now.complete && !left_some_out_);
        counted.met.memory_bound = false;
        result.counted.add(counted);
    }
    result.tried = tried_;
    result.over = over_;
    return result;
}

}  // namespace ordeal::graph
