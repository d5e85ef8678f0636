// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/retries/retry_trials.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace ordeal::detail::graph {

namespace {

/// Goes no further than to where a thread stands at the end of the graph, and from the beginning: what is left on its
/// stack of what it has called is then the same in all runs.
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

bool same(const thread_fingerprint& a, const thread_fingerprint& b) noexcept {
    return a.taken != thread_fingerprint::extent::place && a.taken == b.taken && a.where == b.where &&
           a.thread == b.thread && a.memory == b.memory && a.freed == b.freed && a.clock.passed == b.clock.passed;
}

// Whatever may happen to one who knows more may happen to the other. Of its own events each knows all. Which
// notifications come before it depends on `porf`: that has to be the same.
bool knows_no_less(int thread_id, const thread_views& more, const thread_views& less) noexcept {
    const auto own = static_cast<std::size_t>(thread_id);
    return more.hb.includes_but_of(own, less.hb) && more.pending.includes_but_of(own, less.pending) &&
           more.released.includes_but_of(own, less.released) && more.porf.includes_but_of(own, less.porf) &&
           less.porf.includes_but_of(own, more.porf);
}

}  // namespace

bool retry_trials::comes_there(execution_graph& graph, retry_trial& trial) {
    way_to way(trial.thread_id);
    interpreter& interpreter = runner_.interpreter();
    for (int thread = 0; thread <= interpreter.thread_ids.count(); ++thread) interpreter.fibers.clear(thread);
    retries_.try_out(&trial);
    (void)runner_.run(graph, way);
    retries_.try_out(nullptr);
    return trial.came_to.has_value();
}

bool retry_trials::comes_to_no_more(event_id earlier, event_id read, retry_trial& other) {
    if (!comes_there(other_, other)) return false;
    if (other_[earlier].using_order == order::seq_cst && past_[read].using_order != order::seq_cst) return false;
    again_ = past_;
    const int thread_id = past_[read].thread_id;
    retry_trial own(thread_id, past_[earlier].index, static_cast<std::uint16_t>(past_[read].index + 1));
    if (!comes_there(again_, own)) return false;
    const retry_point& here = *own.came_to;
    const retry_point& there = *other.came_to;
    return same(here.fingerprint, there.fingerprint) && here.effects == 0 && there.effects == 0 &&
           here.lives == there.lives && knows_no_less(thread_id, here.views, there.views) &&
           own.accessed.are_within(other.accessed);
}

bool retry_trials::without_retry(event_id earlier, event_id read) {
    other_.without_retry(past_, earlier, read, tables_);
    const std::uint16_t first = past_[earlier].index;
    retry_trial other(past_[read].thread_id, first, static_cast<std::uint16_t>(first + 1));
    return comes_to_no_more(earlier, read, other);
}

bool retry_trials::with_same_write(event_id read) {
    const event_id before = past_.before_in_thread(read);
    other_ = past_;
    other_[before].rf = past_[read].rf;
    other_[before].retry = retry_status::unknown;
    other_.checked = false;
    retry_trial other(past_[read].thread_id, past_[before].index, static_cast<std::uint16_t>(past_[read].index + 1));
    return comes_to_no_more(before, read, other);
}

// What other threads have done that the read does not depend on is left out, so that the answer cannot depend on it.
bool retry_trials::is_redundant(const execution_graph& graph, const retry_question& asked) {
    past_.only_past(graph, asked.read, runner_.interpreter().run.views[asked.read].porf, tables_);
    const event_id read = tables_.renamed[asked.read];
    if (asked.earlier && without_retry(tables_.renamed[*asked.earlier], read)) return true;
    return asked.follows_read && with_same_write(read);
}

ending retry_trials::run(execution_graph& graph, strategy& strategy) {
    for (;;) {
        const ending end = graph_runner::run(graph, strategy);
        const auto asked = retries_.asked();
        if (end != ending::abandoned || !asked) return end;
        retries_.note_answer(*asked, is_redundant(graph, *asked));
    }
}

}  // namespace ordeal::detail::graph
