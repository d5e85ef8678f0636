// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/revisits/backward_revisits.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/core/events/waiter_bits.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace ordeal::detail::graph {

namespace {

// A wait on a condition variable that the write does not end may also end spuriously.
void emit_wake_up(execution_graph& revisited, event_id write, graph_sink& sink) {
    for (std::size_t i = 0; i < revisited.size(); ++i) {
        event& read = revisited[static_cast<event_id>(i)];
        if (!read.wakes || read.rf != write || !read.revisited) continue;
        if ((revisited[write].value & woken_bit(read.thread_id)) != 0) continue;
        read.spurious = true;
        sink.emit(revisited);
        read.spurious = false;
    }
}

}  // namespace

// The coherence-latest write that is known of each location.
class revisits::newest_places {
public:
    void clear(std::size_t events) {
        if (slots_.size() < 2 * events) slots_.assign(std::bit_ceil(2 * events), {});
        ++generation_;
        none_ = {};
        last_ = &none_;
    }
    [[nodiscard]] std::uint16_t& at(location where) noexcept {
        if (where == last_->where) return last_->co;
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = (where * 0x9e3779b97f4a7c15u >> 32) & mask;
        while (slots_[i].generation == generation_ && slots_[i].where != where) i = (i + 1) & mask;
        if (slots_[i].generation != generation_) slots_[i] = {where, generation_, 0};
        last_ = &slots_[i];
        return last_->co;
    }

private:
    struct slot {
        location where = no_location;
        std::uint64_t generation = 0;
        std::uint16_t co = 0;
    };
    std::vector<slot> slots_;
    std::uint64_t generation_ = 0;
    slot none_;
    slot* last_ = &none_;  ///< that was asked for: as a rule the next event is at the same location
};

revisits::revisits() : places_(std::make_unique<newest_places>()) {}
revisits::~revisits() = default;

// A revisit may delete an event, or change it, where a search that always goes on with the coherence-latest write would
// have made it as it is, had it known only the events up to it and those in `porf`. Then the graph without it leads to
// it, and no other graph needs to. A lock that came before one which was there first, and has no event any more, was
// not made so: it would be read by that older one.
//
// That depends on the write alone. A read may be revisited when it and all that comes after it may be deleted; so this
// is the number of the last event that may not, and one.
std::size_t revisits::begin_of_maximal_extension(const execution_graph& graph, event_id write, const view& porf) {
    places_->clear(graph.size());
    in_porf_.assign(graph.size(), 0);
    read_before_.assign(graph.size(), 0);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const event& each = graph[static_cast<event_id>(i)];
        if (!porf.contains(each.thread_id, each.index)) continue;
        in_porf_[i] = 1;
        if (each.kind == event_kind::read && each.rf != initial_write) read_before_[each.rf] = 1;
        if (each.kind != event_kind::write) continue;
        std::uint16_t& newest = places_->at(each.where);
        newest = std::max(newest, each.co);
    }
    std::size_t end = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const event& each = graph[static_cast<event_id>(i)];
        const bool stays = i == write || in_porf_[i] != 0;
        if (!each.accesses_memory()) {
            if (!stays && (each.spurious || each.displaces_lock || each.takes_freed_block())) end = i + 1;
            continue;
        }
        const bool is_write = each.kind == event_kind::write;
        std::uint16_t& newest = places_->at(each.where);
        bool maximal = !each.spurious && !each.displaces_lock && each.variant == 0;
        if (is_write) {
            maximal &= newest <= each.co && read_before_[i] == 0;
            newest = std::max(newest, each.co);
        } else if (each.rf == initial_write) {
            maximal &= newest == 0;
        } else {
            maximal &= (each.rf <= i || in_porf_[each.rf] != 0) && newest <= graph[each.rf].co;
            read_before_[each.rf] = 1;
        }
        if (!stays && !maximal) end = i + 1;
    }
    return end;
}

bool revisits::emit(const execution_graph& graph, const views_table& views, event_id write, bool waiting_has_events,
                    graph_sink& sink) {
    const location where = graph[write].where;
    const view& porf = views[write].porf;
    const auto may_read_it = [&](const event& each) {
        return each.where == where && each.kind == event_kind::read && !porf.contains(each.thread_id, each.index);
    };
    if (std::ranges::none_of(graph.events(), may_read_it)) return true;
    bool all = true;
    for (std::size_t i = begin_of_maximal_extension(graph, write, porf); i < graph.size(); ++i) {
        const auto read = static_cast<event_id>(i);
        const event& candidate = graph[read];
        if (!may_read_it(candidate)) continue;
        if (candidate.repeated) {
            all = false;
            continue;
        }
        const bool waits =
            waits_without_event(candidate.form) && waits_on(candidate.form, graph[write].value, candidate.thread_id);
        if (waits && !waiting_has_events) {
            revisited_.revisit_displacing(graph, read, write, porf, tables_);
        } else {
            revisited_.revisit(graph, read, write, porf, tables_);
        }
        const auto last = static_cast<event_id>(revisited_.size() - 1);
        const std::uint16_t bound =
            std::max(revisited_.bound(where, views[write].hb), revisited_.bound(where, views[read].before));
        allowed_co(revisited_, last, revisited_.rf_of_rmw(last), bound, co_candidates_);
        for (const std::uint16_t co : co_candidates_) {
            const bool again = co != co_candidates_.back();
            if (again) placed_ = revisited_;
            execution_graph& made = again ? placed_ : revisited_;
            made.put(last, co);
            sink.emit(made);
            if (candidate.wakes) emit_wake_up(made, last, sink);
        }
    }
    return all;
}

}  // namespace ordeal::detail::graph
