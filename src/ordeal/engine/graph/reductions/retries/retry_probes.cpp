// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/retries/retry_probes.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace ordeal::detail::graph {

namespace {

/// Goes no further than to where a thread stands at the end of the graph.
class way_to final : public silent_strategy {
public:
    explicit way_to(int thread_id) noexcept : silent_strategy(adds_events::no), thread_id_(thread_id) {}

    int choose_thread(std::span<const runnable_thread> threads) override {
        const auto found = std::ranges::find(threads, thread_id_, &runnable_thread::id);
        return found == threads.end() ? threads.front().id : thread_id_;
    }

private:
    int thread_id_;
};

bool same(const thread_fingerprint& a, const thread_fingerprint& b) noexcept {
    return a.taken != thread_fingerprint::extent::none && a.taken == b.taken && a.where == b.where &&
           a.is_thread_of(b) && a.memory == b.memory && a.freed == b.freed && a.clock.passed == b.clock.passed;
}

// Whether a thread with the views `more` can continue only as one with `less` can. Each knows all of its own events.
// `porf` decides which notifications come before the thread, so it has to be the same.
bool knows_no_less(int thread_id, const thread_views& more, const thread_views& less) noexcept {
    const auto own = static_cast<std::size_t>(thread_id);
    return more.hb.includes_but_of(own, less.hb) && more.acq.includes_but_of(own, less.acq) &&
           more.rel.includes_but_of(own, less.rel) && more.porf.includes_but_of(own, less.porf) &&
           less.porf.includes_but_of(own, more.porf);
}

}  // namespace

bool retry_probes::run_probe(execution_graph& graph, retry_probe& probe) {
    way_to way(probe.thread_id);
    interpreter& interpreter = runner_.interpreter();
    interpreter.clear_stacks();
    retries_.set_probe(&probe);
    (void)runner_.run(graph, way);
    retries_.set_probe(nullptr);
    return probe.reached.has_value();
}

bool retry_probes::is_covered(event_id earlier, event_id read, retry_probe& shorter) {
    if (!run_probe(shorter_, shorter)) return false;
    if (shorter_[earlier].using_order == order::seq_cst && prefix_[read].using_order != order::seq_cst) return false;
    retried_ = prefix_;
    const int thread_id = prefix_[read].thread_id;
    retry_probe retried(thread_id, prefix_[earlier].index, static_cast<event_index>(prefix_[read].index + 1));
    if (!run_probe(retried_, retried)) return false;
    const retry_point& here = *retried.reached;
    const retry_point& there = *shorter.reached;
    return same(here.fingerprint, there.fingerprint) && here.effects == 0 && there.effects == 0 &&
           here.lives == there.lives && knows_no_less(thread_id, here.views, there.views) &&
           retried.accessed.are_within(shorter.accessed);
}

bool retry_probes::without_retry(event_id earlier, event_id read) {
    shorter_.without_retry(prefix_, earlier, read, tables_);
    const event_index first = prefix_[earlier].index;
    retry_probe shorter(prefix_[read].thread_id, first, static_cast<event_index>(first + 1));
    return is_covered(earlier, read, shorter);
}

bool retry_probes::with_same_write(event_id read) {
    const event_id before = prefix_.before_in_thread(read);
    shorter_ = prefix_;
    shorter_[before].read().rf = prefix_[read].read().rf;
    shorter_[before].read().retry = retry_status::unknown;
    shorter_.known_consistent = false;
    retry_probe shorter(prefix_[read].thread_id, prefix_[before].index,
                        static_cast<event_index>(prefix_[read].index + 1));
    return is_covered(before, read, shorter);
}

// What other threads have done that the read does not depend on is left out, so that the answer cannot depend on it.
bool retry_probes::is_redundant(const execution_graph& graph, const retry_question& asked) {
    prefix_.restrict_to_prefix(graph, asked.read, runner_.interpreter().run.views[asked.read].porf, tables_);
    const event_id read = tables_.renamed[asked.read];
    if (asked.earlier && without_retry(tables_.renamed[*asked.earlier], read)) return true;
    return asked.follows_read && with_same_write(read);
}

bool retries::answers_by_probes(execution_runner& runner, const execution_graph& abandoned) {
    const std::optional<retry_question> asked = std::exchange(question_, std::nullopt);
    if (!asked) return false;
    constexpr std::size_t most_known = 1'000'000;
    if (known_.size() >= most_known) known_.clear();
    known_[asked->hash] = retry_probes(runner, *this).is_redundant(abandoned, *asked);
    return true;
}

}  // namespace ordeal::detail::graph
