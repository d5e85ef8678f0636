// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/symmetry/symmetric_search.hpp"

#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/limit.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace ordeal::detail::graph {

namespace {

/// Passes graphs on that lead to a representative; the others are not even copied.
class representatives_only final : public strategy {
public:
    representatives_only(symmetry& judges, strategy& into) noexcept
        : strategy(kind::explores, into.keeps_pending_graphs()), judges_(judges), into_(into) {}

    void emit(const execution_graph& alternative) override {
        if (judges_.leads_to_a_representative(alternative)) into_.emit(alternative);
    }
    void put_back(const execution_graph& left) override { into_.put_back(left); }
    [[nodiscard]] bool is_over() override { return into_.is_over(); }
    [[nodiscard]] std::size_t pending_graphs() const noexcept override { return into_.pending_graphs(); }

private:
    symmetry& judges_;
    strategy& into_;
};

// Not with `--accept`: a violation could be accepted of one thread alone. `--coverage` wants the states of all
// executions.
bool takes_groups(const scenario& what, const search_options& options) {
    const bool explores = options.strategy.mode == search_mode::automatic || options.strategy.mode == search_mode::full;
    return explores && what.interchangeable.empty() && options.accept.empty() && !options.wanted.atomic_states;
}

std::vector<symmetry_group> claimed_groups(const scenario& what) {
    std::map<int, symmetry_group> groups;
    for (std::size_t thread = 0; thread < what.claimed_groups.size(); ++thread) {
        if (what.claimed_groups[thread] == 0) continue;
        groups[what.claimed_groups[thread]].members.push_back(static_cast<std::uint8_t>(thread + 1));
    }
    std::vector<symmetry_group> result;
    for (auto& [number, group] : groups) {
        if (group.members.size() > 1) result.push_back(std::move(group));
    }
    return result;
}

}  // namespace

symmetric_search::symmetric_search(const scenario& what, const search_options& options, execution_runner& runner)
    : graph_reduction(runner),
      claimed_(claimed_groups(what)),
      groups_(takes_groups(what, options) && (what.instrumented || !claimed_.empty())),
      symmetry_(what.interchangeable),
      detection_(runner.interpreter().run, runner.interpreter().memory_if_instrumented),
      validation_(what, runner, symmetry_) {}

ending symmetric_search::run(execution_graph& graph, strategy& strategy) {
    if (groups_.are_unknown() && !claimed_.empty()) {
        groups_.set(claimed_);
        apply_groups();
    }
    if (groups_.are_unknown()) return run_and_detect(graph, strategy);
    if (!symmetry_.any()) return graph_reduction::run(graph, strategy);
    representatives_only kept(symmetry_, strategy);
    const ending end = groups_.any() ? run_with_groups(graph, kept) : graph_reduction::run(graph, kept);
    const bool ended = end == ending::complete || end == ending::blocked;
    return ended && !symmetry_.is_representative(graph) ? ending::abandoned : end;
}

// The first run is that of a search without interchangeable threads. If it finds some, it is made once more with them.
ending symmetric_search::run_and_detect(execution_graph& graph, strategy& strategy) {
    const execution_graph whole = graph;
    work_stack alternatives(strategy);
    detection_.detect();
    const ending end = graph_reduction::run(graph, alternatives);
    groups_.set(end == ending::complete || end == ending::blocked ? detection_.found() : std::vector<symmetry_group>());
    detection_.stop();
    if (!groups_.any()) {
        for (const execution_graph& each : alternatives.take_all()) strategy.emit(each);
        return end;
    }
    apply_groups();
    runner_.interpreter().reductions.forget();
    runner_.drop_snapshots();
    graph = whole;
    return run(graph, strategy);
}

ending symmetric_search::run_with_groups(execution_graph& graph, strategy& strategy) {
    detection_.enforce(groups_.all());
    ending end = graph_reduction::run(graph, strategy);
    refuted_ = detection_.symmetry_refuted();
    detection_.stop();
    if (refuted_.empty() && end == ending::violated && !is_violated_without_groups(graph, end))
        refuted_ = "one execution is violated only where they are taken for interchangeable";
    return end;
}

// Whether the code as it is shows the violation, too.
bool symmetric_search::is_violated_without_groups(execution_graph& graph, ending& ended) {
    const violation_kind kind = runner_.interpreter().run_end.found()->kind;
    replay_strategy again;
    ended = runner_.run(graph, again);
    return ended == ending::violated && runner_.interpreter().run_end.found()->kind == kind;
}

ending symmetric_search::run_again(execution_graph& graph, strategy& strategy) {
    if (groups_.any()) detection_.enforce(groups_.all());
    const ending end = graph_reduction::run_again(graph, strategy);
    detection_.stop();
    return end;
}

// After an accepted violation outcomes may depend on the schedule, so they are not compared.
ending symmetric_search::check(execution_graph& graph) {
    if (!symmetry_.any() || !runner_.interpreter().options.accept.empty()) return ending::complete;
    const std::string outcome = *runner_.outcome();
    execution_observer* const watcher = runner_.set_observer(nullptr);
    const auto message = validation_.check(graph, outcome);
    runner_.set_observer(watcher);
    if (!message) return ending::complete;
    if (const auto& violated = validation_.violated()) {
        graph = *violated;
        return ending::violated;
    }
    if (groups_.any()) {
        refuted_ = *message;
        return ending::complete;
    }
    runner_.interpreter().search_facts.refused = *message;
    return ending::refused;
}

// Thread numbers are those of traces.
void symmetric_search::add_limits(std::vector<limit>& to) const {
    if (!claimed_.empty()) {
        if (!groups_.any()) return;
        to.push_back({"interchangeable",
                      "threads that make the same calls are interchangeable: of executions in which they are "
                      "exchanged, one was explored",
                      limit_effect::assumes,
                      {}});
        return;
    }
    for (const symmetry_group& group : groups_.all()) {
        const std::string numbers = listed_numbers(group.members);
        const std::string sentence = fmt::format(
            "threads {} are interchangeable (found): of executions in which they are exchanged, one was explored",
            numbers);
        to.push_back({"interchangeable", sentence, limit_effect::assumes, {{"threads", numbers}}});
    }
}

void symmetric_search::import_state(std::string_view learned) {
    if (!groups_.are_unknown()) return;
    groups_.set(learned, runner_.interpreter().thread_ids);
    if (groups_.any()) apply_groups();
}

void symmetric_search::apply_groups() {
    symmetry::groups groups;
    for (const symmetry_group& each : groups_.all()) groups.push_back(each.members);
    symmetry_ = symmetry(std::move(groups));
}

}  // namespace ordeal::detail::graph
