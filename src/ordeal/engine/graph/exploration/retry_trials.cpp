// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/exploration/retry_trials.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace ordeal::graph {

namespace {

/// Goes no further than to where a thread stands at the end of the graph, and from the beginning: what is left on its stack of
/// what it has called is then the same in all runs.
class way_to final : public strategy {
public:
    explicit way_to(int thread_id) noexcept : strategy(kind::explores), thread_id_(thread_id) {}

    void emit(const execution_graph& /*alternative*/) override {}
    [[nodiscard]] bool go_on() override { return false; }
    int choose_thread(std::span<const int> thread_ids) override {
        const auto found = std::ranges::find(thread_ids, thread_id_);
        return found == thread_ids.end() ? thread_ids.front() : thread_id_;
    }

private:
    int thread_id_;
};

// Mixed so that sums of them differ.
std::uint64_t mixed(std::uint64_t number, std::uint64_t seed) noexcept {
    number = (number ^ seed) * 0xff51'afd7'ed55'8ccd;
    number = (number ^ number >> 32) * 0xc4ce'b9fe'1a85'ec53;
    return number ^ number >> 29;
}

bool same(const snapshot& a, const snapshot& b) noexcept {
    return a.taken != snapshot::extent::place && a.taken == b.taken && a.where == b.where && a.thread == b.thread &&
           a.memory == b.memory && a.freed == b.freed && a.clock.passed == b.clock.passed;
}

// Whatever may happen to one who knows more may happen to the other. Of its own events each knows all. Which notifications come
// before it depends on `porf`: that has to be the same.
bool knows_no_less(int thread_id, const thread_views& more, const thread_views& less) noexcept {
    const auto own = static_cast<std::size_t>(thread_id);
    return more.hb.includes_but_of(own, less.hb) && more.pending.includes_but_of(own, less.pending) &&
           more.released.includes_but_of(own, less.released) && more.porf.includes_but_of(own, less.porf) &&
           less.porf.includes_but_of(own, more.porf);
}

}  // namespace

// Behind accepted violations what a thread finds is no part of the graph alone. Where preemptions are counted, the execution
// without the turn may have more of them.
retry_trials::retry_trials(runner& runs) : runs_(runs) {
    const memory_options& how = runs.parts().options;
    asks_ = how.cut_retries && how.accept.empty() && !how.waiting_has_events;
}

bool retry_trials::comes_there(execution_graph& graph, retry_trial& trial) {
    way_to way(trial.thread_id);
    run_parts& parts = runs_.parts();
    for (int thread = 0; thread <= parts.thread_ids.count(); ++thread) parts.stacks.clear(thread);
    parts.again.try_out(&trial);
    (void)runs_.run(graph, way);
    parts.again.try_out(nullptr);
    return trial.came_to.has_value();
}

bool retry_trials::comes_to_no_more(const execution_graph& graph, event_id earlier, event_id read, retry_trial& other) {
    if (!comes_there(other_, other)) return false;
    if (other_[earlier].using_order == order::seq_cst && graph[read].using_order != order::seq_cst) return false;
    again_ = graph;
    const int thread_id = graph[read].thread_id;
    retry_trial own(thread_id, graph[earlier].index, static_cast<std::uint16_t>(graph[read].index + 1));
    if (!comes_there(again_, own)) return false;
    const standpoint& here = *own.came_to;
    const standpoint& there = *other.came_to;
    return same(here.stands, there.stands) && here.effects == 0 && there.effects == 0 && here.lives == there.lives &&
           knows_no_less(thread_id, here.knows, there.knows) && own.accessed.are_within(other.accessed);
}

bool retry_trials::without_turn(const execution_graph& graph, event_id earlier, event_id read) {
    other_.without_turn(graph, earlier, read, tables_);
    const std::uint16_t first = graph[earlier].index;
    retry_trial other(graph[read].thread_id, first, static_cast<std::uint16_t>(first + 1));
    return comes_to_no_more(graph, earlier, read, other);
}

bool retry_trials::as_later(const execution_graph& graph, event_id read) {
    const event_id before = graph.before_in_thread(read);
    other_ = graph;
    other_[before].rf = graph[read].rf;
    other_[before].again = retry::unasked;
    other_.checked = false;
    retry_trial other(graph[read].thread_id, graph[before].index, static_cast<std::uint16_t>(graph[read].index + 1));
    return comes_to_no_more(graph, before, read, other);
}

bool retry_trials::is_in_vain(const execution_graph& graph, const retry_question& asked) {
    return (asked.earlier && without_turn(graph, *asked.earlier, asked.read)) ||
           (asked.follows && as_later(graph, asked.read));
}

// What other threads have done that it does not depend on is the same in all trials.
retry_trials::past retry_trials::past_of(const execution_graph& graph, const retry_question& asked) const {
    const view& porf = runs_.parts().run.views[asked.read].porf;
    const auto name = [&](event_id id) {
        if (id == initial_write) return std::uint64_t{initial_write};
        return std::uint64_t{graph[id].thread_id} << 16 | graph[id].index;
    };
    const std::uint64_t what = name(asked.read) << 32 | (asked.earlier ? name(*asked.earlier) : name(initial_write));
    past result{mixed(what, asked.follows ? 1 : 2), mixed(what, asked.follows ? 3 : 4)};
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const event& each = graph[static_cast<event_id>(i)];
        if (i != asked.read && !porf.contains(each.thread_id, each.index)) continue;
        const std::uint64_t rf = each.kind == event_kind::read ? name(each.rf) : each.value;
        const auto kind = static_cast<std::uint64_t>(each.kind) << 16 | std::uint64_t{each.variant} << 8 |
                          (each.spurious ? 2U : 0U) | (each.rmw ? 1U : 0U);
        for (std::uint64_t* of : {&result.one, &result.other}) {
            const std::uint64_t seed = of == &result.one ? 5 : 6;
            *of += mixed(mixed(mixed(mixed(name(static_cast<event_id>(i)), seed), kind), each.where), rf);
        }
    }
    return result;
}

bool retry_trials::answer(const execution_graph& graph, const retry_question& asked) {
    constexpr std::size_t most_known = 1'000'000;
    const past before = past_of(graph, asked);
    if (const auto found = known_.find(before); found != known_.end()) return found->second;
    if (known_.size() >= most_known) known_.clear();
    return known_[before] = is_in_vain(graph, asked);
}

ending retry_trials::run(execution_graph& graph, strategy& how) {
    for (;;) {
        runs_.parts().again.may_ask(asks_);
        const ending end = runs_.run(graph, how);
        runs_.parts().again.may_ask(false);
        const auto asked = runs_.parts().again.asked();
        if (end != ending::abandoned || !asked) return end;
        const bool in_vain = answer(graph, *asked);
        // Others can do nothing about it, so nothing that comes of this graph is an execution.
        if (in_vain && graph.is_for_good(asked->read)) return ending::abandoned;
        graph[asked->read].again = in_vain ? retry::in_vain : retry::goes_on;
    }
}

}  // namespace ordeal::graph
