// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a new event may read or write, and the graphs in which it does something else.
#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

// Adds to `rf_candidates_` what the new read may do if it reads the write at this coherence position. A
// read-modify-write whose write has no position there only makes its revisits, for which no run is needed.
void graph_memory::consider_rf(event_id id, std::size_t co, const object& target, const read_request& how) {
    const event_id rf = order_[co];
    const std::uint64_t value = run_.value_of(rf, target);
    const bool newest = co + 1 == order_.size();
    // The lock would wait for an unlock that is already in the graph: it reads that instead.
    if (how.waits_for_co_max() && how.blocks_on(value) && !newest) {
        if (how.may_end_by_itself()) consider_wake_up(id, co, target, how);
        return;
    }
    // With this write the spurious wake-up is redundant.
    if (!newest && how.waits_for_co_max() && rf != initial_write && rf == run_.redundant_wake_up_write(run_.self()))
        return;
    (*run_.graph)[id].read().rf = rf;
    (*run_.graph)[id].using_order = how.order_on(value);
    if (how.writes_on(value) && !newest && (*run_.graph)[order_[co + 1]].is_rmw()) {
        // Another read-modify-write reads from it. Two cannot, but the other may read from this one's write instead.
        if (run_.strategy->explores()) revisit_by_conflicting_rmw(id, rf, target, how);
    } else if (wakes_by_itself(how, value)) {
        // A random execution takes the time-out, for which consider_wake_up() adds a candidate.
    } else if (stays_consistent(id, newest)) {
        rf_candidates_.push_back({rf, false});
        consider_variants(id, how, value);
    }
    if (how.weak && how.writes_on(value)) consider_failure(id, newest, how);
    if (how.may_end_by_itself() && how.blocks_on(value)) consider_wake_up(id, co, target, how);
}

// A notification may be for any of the threads that wait; a wait may have come to its limit as well.
void graph_memory::consider_variants(event_id id, const read_request& how, std::uint64_t value) {
    for (int variant = 1; variant < how.variants_on(value); ++variant) {
        rf_candidates_.push_back({(*run_.graph)[id].read().rf, false, static_cast<std::uint8_t>(variant)});
    }
}

bool graph_memory::wakes_by_itself(const read_request& how, std::uint64_t value) const noexcept {
    return run_.strategy->samples() && how.limit != wait_timeout::kind::none && how.blocks_on(value);
}

// A wait on a condition variable, or a futex, that was not notified ends all the same, at its limit or spuriously.
void graph_memory::consider_wake_up(event_id id, std::size_t co, const object& target, const read_request& how) {
    const event_id rf = order_[co];
    if (run_.self().wake_ups >= most_wake_ups && !wakes_by_itself(how, run_.value_of(rf, target))) {
        search_facts_.wake_up_bound = true;
        return;
    }
    const std::uint64_t value = run_.value_of(rf, target);
    if (co + 1 == order_.size()) {
        for (int variant = 0; variant < how.variants_on(value); ++variant) {
            rf_candidates_.push_back({rf, true, static_cast<std::uint8_t>(variant)});
        }
    } else if (run_.strategy->explores()) {
        (*run_.graph)[id].read().rf = rf;
        (*run_.graph)[id].read().spurious = true;
        (*run_.graph)[id].using_order = how.success;
        revisit_by_conflicting_rmw(id, rf, target, how);
        (*run_.graph)[id].read().spurious = false;
    }
}

// Whether the graph stays consistent with the read's present rf. Coherence is kept by the bound, and nothing comes
// after a new event that reads the newest write, so it is in no cycle.
bool graph_memory::stays_consistent(event_id read, bool newest) {
    if (newest || !run_.model.forbids_more((*run_.graph)[read])) return true;
    if (run_.graph->is_indexed()) [[unlikely]] {
        const std::size_t co = run_.graph->co_of((*run_.graph)[read].read().rf);
        if (run_.model.surely_consistent(*run_.graph, (*run_.graph)[read], order_.subspan(co + 1))) return true;
        if (is_too_large_to_check()) return false;
    }
    calculate_read_views(run_.self(), read);
    return run_.model.allows(*run_.graph, views_);
}

// The check takes time with the square of the size, or more, and is made for each candidate. Beyond, a candidate that
// is not surely allowed is left out: as a rule it is that of a random execution with another schedule.
bool graph_memory::is_too_large_to_check() noexcept {
    if (run_.graph->size() <= checked_up_to) return false;
    search_facts_.unchecked_order = true;
    return true;
}

// Where another failure would be one too many, the verdict has to say so.
bool graph_memory::may_fail_once_more() {
    const bool allowed = run_.self().spurious < options_.spurious;
    search_facts_.spurious_bound |= !allowed;
    return allowed;
}

// A weak compare-exchange that could succeed may fail, where that makes a difference.
void graph_memory::consider_failure(event_id id, bool newest, const read_request& how) {
    if (run_.strategy->explores() && !(*run_.graph)[id].read().spurious_matters) return;
    if (!may_fail_once_more()) return;
    (*run_.graph)[id].using_order = how.failure;
    if (stays_consistent(id, newest)) rf_candidates_.push_back({(*run_.graph)[id].read().rf, true});
}

void graph_memory::take_rf(event_id id, const rf_candidate& chosen) noexcept {
    read_data& read = (*run_.graph)[id].read();
    read.rf = chosen.rf;
    read.spurious = chosen.spurious;
    read.variant = chosen.variant;
}

// The search is over: its graph is left as it was before the operation that is halfway made.
void graph_memory::leave_operation() {
    const event made = run_.graph->events().back();
    run_.graph->remove_last();
    if (made.is_rmw()) {
        const event& before = run_.graph->events().back();
        if (before.thread_id == made.thread_id && before.index + 1 == made.index) run_.graph->remove_last();
    }
    run_.strategy->put_back(*run_.graph);
    run_end_.abandon();
}

// The first position in coherence that an event may read from, or come after. Where time has passed, what was written
// before has arrived everywhere.
coherence_position graph_memory::coherence_bound_at(const event& which, const view& hb) {
    const coherence_position bound = run_.graph->coherence_bound(which.where, hb, which.bytes);
    if (run_.time_came == 0) return bound;
    const std::span<const event_id> order = run_.graph->coherence_order(which.where, order_buffer_);
    for (std::size_t co = order.size(); co > bound; --co) {
        const event_id write = order[co - 1];
        if (write == initial_write || write >= run_.time_came) continue;
        return run_.graph->co_of(run_.graph->write_of(write, which.bytes.bytes()));
    }
    return bound;
}

// The writes that the read may read from: the oldest first.
void graph_memory::order_writes(const event& read) {
    order_ = run_.graph->coherence_order(read.where, order_buffer_);
    if (!read.is_part_load()) [[likely]]
        return;
    writes_of_part_.clear();
    for (const event_id each : order_) {
        if (each == initial_write || read.may_read((*run_.graph)[each])) writes_of_part_.push_back(each);
    }
    order_ = writes_of_part_;
}

bool graph_memory::visit_rfs(event_id id, const object& target, const read_request& how) {
    const harness_scope harness;
    const coherence_position bound = coherence_bound_at((*run_.graph)[id], run_.self().hb);
    (*run_.graph)[id].read().spurious_matters =
        how.weak && (!reductions_.selects_spurious_failures() || run_.graph->spurious_matters_next == run_.thread_id);
    if (run_.graph->spurious_matters_next == run_.thread_id) run_.graph->spurious_matters_next = 0;
    order_writes((*run_.graph)[id]);
    rf_candidates_.clear();
    for (std::size_t co = order_.size(); co > 0 && run_.graph->co_of(order_[co - 1]) >= bound; --co) {
        if ((*run_.graph)[id].read().repeated && run_.strategy->explores() && !rf_candidates_.empty()) {
            search_facts_.iteration_bound = true;
            rf_candidates_.resize(1);
            break;
        }
        consider_rf(id, co - 1, target, how);
        if (run_.strategy->is_over()) leave_operation();
    }
    if (rf_candidates_.empty()) run_end_.abandon();
    if (run_.strategy->explores() && rf_candidates_.size() > 1) {
        if (!scheduling_points_.take_snapshot()) return false;
        for (std::size_t i = 1; i < rf_candidates_.size(); ++i) {
            take_rf(id, rf_candidates_[i]);
            run_.strategy->emit(*run_.graph);
        }
    }
    const auto is_usual = [&](const rf_candidate& each) {
        return each.rf == rf_candidates_.front().rf && !each.spurious;
    };
    const auto usual = std::ranges::find_if_not(rf_candidates_, is_usual) - rf_candidates_.begin();
    take_rf(id, rf_candidates_[run_.strategy->choose(static_cast<std::size_t>(usual), rf_candidates_.size())]);
    if (run_.strategy->explores() && !run_.strategy->go_on()) run_end_.abandon();
    return true;
}

// A read that a revisit let succeed: that it fails, or writes something else, was no choice when it was added.
void graph_memory::emit_other_variants(event_id id, const read_request& how, std::uint64_t value) {
    read_data& read = (*run_.graph)[id].read();
    if (!run_.strategy->explores() || !read.revisited) return;
    const harness_scope harness;
    // In graphs from text, each read that is `spurious` has `spurious_matters`, also that of a wake-up.
    if (read.spurious_matters && !read.spurious && may_fail_once_more()) {
        read.spurious = true;
        run_.strategy->emit(*run_.graph);
        read.spurious = false;
    }
    if (read.variant != 0) return;  // one of those itself
    for (int variant = 1; variant < how.variants_on(value); ++variant) {
        read.variant = static_cast<std::uint8_t>(variant);
        run_.strategy->emit(*run_.graph);
    }
    read.variant = 0;
}

void graph_memory::revisit_by_conflicting_rmw(event_id id, event_id rf, const object& target, const read_request& how) {
    const std::uint64_t value = run_.value_of(rf, target);
    for (int variant = 0; variant < how.variants_on(value); ++variant) {
        (*run_.graph)[id].read().variant = static_cast<std::uint8_t>(variant);
        revisit_by_tentative_write(id, rf, how, how.written_on(value, static_cast<unsigned>(variant)));
    }
    (*run_.graph)[id].read().variant = 0;
}

// The write is in the graph only for as long as it revisits.
void graph_memory::revisit_by_tentative_write(event_id id, event_id rf, const read_request& how,
                                              std::uint64_t written) {
    calculate_read_views(run_.self(), id);
    thread_views after;
    after.hb = views_[id].hb;
    after.porf = views_[id].porf;
    after.rel = run_.self().rel;
    event write;
    write.index = static_cast<event_index>(run_.self().next + 1);
    write.thread_id = static_cast<std::uint8_t>(run_.thread_id);
    write.where = (*run_.graph)[id].where;
    write.using_order = how.success;
    write.bytes = how.bytes;
    write.data = write_data{.value = written, .rmw = true, .blind = how.what == read_request::form::store};
    const event_id made = run_.graph->add(write);
    views_.resize(run_.graph->size());
    views_[made].renew();
    calculate_write_views(after, made, rf);
    views_[made].site = views_[id].site;
    revisit_by(made);
    note_lb_by_conflicting_rmw(id, made);
    run_.graph->remove_last();
    views_.pop_back();
}

// The other read-modify-write that reads what this one reads may read from the write of this one as a future read.
void graph_memory::note_lb_by_conflicting_rmw(event_id id, event_id write) {
    const event& read = (*run_.graph)[id];
    if (read.is_spurious()) return;
    const event_id half = order_[run_.graph->co_of(read.read().rf) + std::size_t{1}];
    const event_id other = run_.graph->before_in_thread(half);
    const event& preceding_rmw = (*run_.graph)[other];
    write_data& made = (*run_.graph)[write].write();
    if (!views_[write].porf.contains(preceding_rmw)) return;
    made.of_waiters = (*run_.graph)[half].write().of_waiters;
    if (waits_on(preceding_rmw.read().form, made.value, preceding_rmw.thread_id)) return;
    views_[id].done = views_[write].done = true;
    future_reads_.note_lb_patterns(write, other);
    views_[id].done = false;
}

void graph_memory::revisit_by(event_id write) {
    const bool all = revisits_.emit(*run_.graph, views_, write, options_.reductions.waiting, *run_.strategy);
    if (run_.strategy->is_over()) leave_operation();
    search_facts_.iteration_bound |= !all;
}

void graph_memory::visit_cos(event_id id, event_id rf) {
    const harness_scope harness;
    const location where = (*run_.graph)[id].where;
    if (run_.strategy->explores()) revisit_by(id);
    coherent_placings(*run_.graph, id, rf, coherence_bound_at((*run_.graph)[id], views_[id].hb), co_candidates_);
    if (run_.model.forbids_more()) {
        const std::size_t last = run_.graph->co_size(where);
        std::erase_if(co_candidates_, [&](coherence_position co) {
            if (co == last) return false;  // nothing comes after it
            if (run_.graph->is_indexed()) [[unlikely]] {
                const auto later = run_.graph->indexed_coherence(where).subspan(co);
                if (run_.model.surely_consistent(*run_.graph, (*run_.graph)[id], later)) return false;
                if (is_too_large_to_check()) return true;
            }
            alternative_ = *run_.graph;
            alternative_.insert_in_co(id, co);
            return !run_.model.allows(alternative_, views_);
        });
    }
    if (run_.strategy->explores()) {
        if (co_candidates_.size() > 1 && !scheduling_points_.take_snapshot()) return;
        for (std::size_t i = 1; i < co_candidates_.size(); ++i) {
            alternative_ = *run_.graph;
            alternative_.insert_in_co(id, co_candidates_[i]);
            run_.strategy->emit(alternative_);
        }
        if (!run_.strategy->go_on()) run_end_.abandon();
    }
    if (co_candidates_.empty()) run_end_.abandon();
    run_.graph->insert_in_co(id, co_candidates_[run_.strategy->choose(1, co_candidates_.size())]);
}

}  // namespace ordeal::detail::graph
