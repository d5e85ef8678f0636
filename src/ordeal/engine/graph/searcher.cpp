// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/searcher.hpp"

#include "ordeal/engine/graph/difficulty.hpp"
#include "ordeal/engine/graph/graph_choices.hpp"
#include "ordeal/engine/graph/random_choices.hpp"
#include "ordeal/engine/search_report.hpp"

#include <string>
#include <utility>

namespace ordeal::graph {

namespace {

// After a violation, an automatic search looks at this many runs more for one that is simpler to read.
constexpr std::uint64_t runs_for_a_simpler_one = 5'000;

std::chrono::steady_clock::time_point deadline_after(double seconds) {
    using clock = std::chrono::steady_clock;
    constexpr double forever = 1e9;  // more would not fit the clock
    if (seconds <= 0 || seconds >= forever) return clock::time_point::max();
    return clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

searcher::searcher(const scenario& what, const search_options& how, search_progress& progress)
    : what_(what),
      how_(how),
      progress_(progress),
      begin_(clock::now()),
      deadline_(deadline_after(how.seconds)),
      trial_(what, {.spurious = how.spurious}),
      watchdog_([this](violation_kind kind, const char* message) { trial_.interrupt(kind, message); },
                [this] { return static_cast<unsigned long long>(trial_.memory().total_steps()); }) {}

search_result searcher::search() {
    if (how_.replay) {
        replay(*how_.replay);
    } else {
        if (how_.mode == search_mode::random || how_.mode == search_mode::pct) {
            random();
        } else {
            systematic();
        }
        judge();
    }
    describe_sites(trial_.memory().reached(), result_);
    result_.seconds = std::chrono::duration<double>(clock::now() - begin_).count();
    return std::move(result_);
}

bool searcher::out_of_time() {
    if (stop_requested()) return true;
    return runs_ % 64 == 0 && clock::now() >= deadline_;
}

void searcher::count(ending how) {
    ++runs_;
    result_.executions += how == ending::complete || how == ending::violated ? 1 : 0;
    result_.blocked += how == ending::blocked ? 1 : 0;
    progress_.executions = result_.executions;
    progress_.steps = trial_.memory().total_steps();
}

void searcher::keep_if_simpler() {
    const std::uint64_t difficulty = graph::difficulty(graph_);
    if (found_ && found_->difficulty <= difficulty) return;
    found_ = {graph_, trial_.memory().found()->kind, trial_.memory().found()->message, difficulty};
}

void searcher::systematic() {
    work_.emit({});
    std::uint64_t last_run = ~std::uint64_t{0};
    while (!work_.empty() && runs_ < last_run) {
        work_.take(graph_);
        const ending how = trial_.run(graph_, &work_, nullptr);
        count(how);
        if (how == ending::violated) {
            if (!found_) last_run = how_.mode == search_mode::automatic ? runs_ + runs_for_a_simpler_one : runs_;
            keep_if_simpler();
        }
        if (out_of_time()) break;
    }
    cut_short_ = !work_.empty();
}

void searcher::random() {
    random_choices choices(how_.seed, how_.mode == search_mode::pct ? how_.depth : 0);
    while (runs_ < how_.bound && !found_) {
        if (runs_ > 0 && out_of_time()) {
            cut_short_ = true;
            break;
        }
        graph_.clear();
        choices.begin(static_cast<int>(what_.threads.size()));
        const ending how = trial_.run(graph_, nullptr, &choices);
        count(how);
        if (how == ending::violated) keep_if_simpler();
    }
}

void searcher::judge() {
    for (const auto& [outcome, number] : trial_.outcomes()) {
        if (number != 0) result_.outcomes.emplace(outcome, number);
    }
    if (found_) return show(*found_);
    const findings& met = trial_.memory().met();
    if (cut_short_) {
        result_.limits.push_back("the search was ended after " + std::to_string(result_.executions) + " executions");
    }
    if (how_.mode == search_mode::random || how_.mode == search_mode::pct) {
        result_.limits.push_back(std::to_string(result_.executions) + " random executions, seed " +
                                 std::to_string(how_.seed));
    }
    if (met.spurious_bound) {
        result_.limits.push_back("a weak compare-exchange fails spuriously at most " + std::to_string(how_.spurious) +
                                 (how_.spurious == 1 ? " time" : " times") + " in each thread");
    }
    if (met.loop_bound) result_.limits.emplace_back("a loop with a yield whose state changes was followed for 8 turns");
    result_.verdict = result_.limits.empty() ? verdict::held : verdict::held_within;
    result_.complete = !cut_short_;
    result_.stopped = cut_short_ && stop_requested();
}

// The violation is the one that the traced run shows: it may come to it from the other side.
void searcher::show(const counterexample& found) {
    result_.verdict = verdict::violated;
    result_.replay = choices{to_text(found.graph)};
    if (result_.replay->text.empty()) result_.replay->text = "-";
    show_run(found.graph);
    if (result_.kind) return;
    result_.message = "the execution that showed \"" + std::string(to_string(found.kind)) +
                      "\" (" + found.message +
                      ") ended differently when it was run again (a static, an address, or time?)";
    result_.kind = violation_kind::nondeterminism;
}

void searcher::show_run(execution_graph graph) {
    const ending how = trial_.run(graph, nullptr, nullptr, true);
    result_.trace = shortened(trial_.memory().steps());
    if (how != ending::violated) return;
    result_.kind = trial_.memory().found()->kind;
    result_.message = trial_.memory().found()->message;
}

void searcher::replay(const choices& wanted) {
    const auto graph = parse_graph(wanted.text == "-" ? std::string_view() : wanted.text);
    if (!graph) {
        result_.message = "the choices of the execution cannot be read";
        return;
    }
    show_run(*graph);
    result_.executions = 1;
    if (result_.kind == violation_kind::nondeterminism) {
        result_.kind.reset();
        result_.trace.clear();
        result_.message = "the execution does not fit this program: the code has changed, or is not deterministic";
        return;
    }
    result_.verdict = result_.kind ? verdict::violated : verdict::held_within;
    if (!result_.kind) result_.limits = {"one execution"};
    result_.complete = true;
    result_.replay = wanted;
}

}  // namespace ordeal::graph
