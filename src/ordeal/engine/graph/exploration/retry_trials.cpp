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
    cuts_ = how.cut_retries && how.accept.empty() && !how.waiting_has_events;
}

void retry_trials::cut(bool whether) noexcept {
    runs_.parts().again.may_ask(whether);
    runs_.parts().behind.may_leave(whether);
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

bool retry_trials::comes_to_no_more(event_id earlier, event_id read, retry_trial& other) {
    if (!comes_there(other_, other)) return false;
    if (other_[earlier].using_order == order::seq_cst && past_[read].using_order != order::seq_cst) return false;
    again_ = past_;
    const int thread_id = past_[read].thread_id;
    retry_trial own(thread_id, past_[earlier].index, static_cast<std::uint16_t>(past_[read].index + 1));
    if (!comes_there(again_, own)) return false;
    const standpoint& here = *own.came_to;
    const standpoint& there = *other.came_to;
    return same(here.stands, there.stands) && here.effects == 0 && there.effects == 0 && here.lives == there.lives &&
           knows_no_less(thread_id, here.knows, there.knows) && own.accessed.are_within(other.accessed);
}

bool retry_trials::without_turn(event_id earlier, event_id read) {
    other_.without_turn(past_, earlier, read, tables_);
    const std::uint16_t first = past_[earlier].index;
    retry_trial other(past_[read].thread_id, first, static_cast<std::uint16_t>(first + 1));
    return comes_to_no_more(earlier, read, other);
}

bool retry_trials::as_later(event_id read) {
    const event_id before = past_.before_in_thread(read);
    other_ = past_;
    other_[before].rf = past_[read].rf;
    other_[before].again = retry::unasked;
    other_.checked = false;
    retry_trial other(past_[read].thread_id, past_[before].index, static_cast<std::uint16_t>(past_[read].index + 1));
    return comes_to_no_more(before, read, other);
}

// What other threads have done that the read does not depend on is left out, so that the answer cannot depend on it.
bool retry_trials::is_in_vain(const execution_graph& graph, const retry_question& asked) {
    past_.only_past(graph, asked.read, runs_.parts().run.views[asked.read].porf, tables_);
    const event_id read = tables_.renamed[asked.read];
    if (asked.earlier && without_turn(tables_.renamed[*asked.earlier], read)) return true;
    return asked.follows && as_later(read);
}

ending retry_trials::run(execution_graph& graph, strategy& how) {
    for (;;) {
        cut(cuts_);
        const ending end = runs_.run(graph, how);
        cut(false);
        const auto asked = runs_.parts().again.asked();
        if (end != ending::abandoned || !asked) return end;
        runs_.parts().again.note_answer(*asked, is_in_vain(graph, *asked));
    }
}

}  // namespace ordeal::graph
