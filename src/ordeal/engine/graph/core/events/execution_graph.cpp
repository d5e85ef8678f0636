// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <stdexcept>

namespace ordeal::detail::graph {

event_id execution_graph::add(const event& value) {
    if (events_.size() >= max_events) throw std::length_error("an execution has too many events");
    if (events_.size() >= index_from_) [[unlikely]] {
        if (!is_indexed()) build_index();
        index_.get()->add(value, static_cast<event_id>(events_.size()));
    }
    events_.push_back(value);
    return static_cast<event_id>(events_.size() - 1);
}

// All events are complete.
void execution_graph::build_index() {
    access_index& index = index_.make();
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = events_[id];
        index.add(each, id);
        if (each.is_read()) index.complete_read(events_, id);
        // What is before it in coherence may have been added later.
        if (each.is_write()) index.place(events_, id, index.position_for(events_, each));
    }
}

void execution_graph::insert_in_co(event_id write, coherence_position co) {
    const location where = events_[write].where;
    if (access_index* const index = index_.get()) [[unlikely]] {
        for (const event_id later : index->coherence(where).subspan(co)) ++events_[later].write().co;
        events_[write].write().co = co;
        return index->place(events_, write, co);
    }
    events_[write].write().co = 0;
    for (event& each : events_) {
        if (each.where == where && each.is_write() && each.write().co >= co) ++each.write().co;
    }
    events_[write].write().co = co;
}

event_id execution_graph::before_in_thread(event_id id) const noexcept {
    if (const access_index* const index = index_.get()) [[unlikely]] {
        const event& which = events_[id];
        return which.index == 0 ? initial_write : index->path(which.thread_id)[which.index - std::size_t{1}];
    }
    for (event_id each = id; each > 0; --each) {
        if (events_[each - 1].thread_id == events_[id].thread_id) return static_cast<event_id>(each - 1);
    }
    return initial_write;
}

event_id execution_graph::rf_of_rmw(event_id write) const noexcept {
    const event_id read = before_in_thread(write);
    return read == initial_write ? initial_write : events_[read].rf();
}

event_id execution_graph::rmw_write_of(const event& read) const noexcept {
    if (const access_index* const index = index_.get()) [[unlikely]] {
        const std::span<const event_id> path = index->path(read.thread_id);
        const std::size_t next = read.index + std::size_t{1};
        return next < path.size() && events_[path[next]].is_rmw() ? path[next] : initial_write;
    }
    for (std::size_t id = 0; id < events_.size(); ++id) {
        const event& each = events_[id];
        if (each.is_rmw() && each.thread_id == read.thread_id && each.index == read.index + 1)
            return static_cast<event_id>(id);
    }
    return initial_write;
}

coherence_position execution_graph::coherence_bound(location where, const view& seen,
                                                    const footprint& bytes) const noexcept {
    const access_index* const index = bytes.is_part() ? nullptr : index_.get();
    if (index != nullptr) [[unlikely]]
        return co_of(index->latest_seen(events_, where, seen));
    coherence_position result = 0;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const event& each = events_[i];
        if (each.where != where || !seen.contains(each)) continue;
        event_id write = each.is_write() ? static_cast<event_id>(i) : each.read().rf;
        if (each.bytes.is_mixed()) [[unlikely]] {
            const std::uint32_t common = each.bytes.bytes() & bytes.bytes();
            if (common == 0) continue;
            write = write_of(write, common);
        }
        result = std::max(result, co_of(write));
    }
    return result;
}

event_id execution_graph::co_max_for(const event& read) const noexcept {
    if (!read.is_part_load()) return co_max(read.where);
    return write_of(co_max(read.where), read.bytes.bytes());
}

void execution_graph::coherence(location where, std::vector<event_id>& result) const {
    if (const access_index* const index = index_.get()) [[unlikely]] {
        const std::span<const event_id> order = index->coherence(where);
        result.assign(order.begin(), order.end());
        return;
    }
    result.assign(1, initial_write);
    for (std::size_t id = 0; id < events_.size(); ++id) {
        const event& each = events_[id];
        if (each.where != where || !each.is_write() || each.write().co == 0) continue;
        if (result.size() <= each.write().co) result.resize(each.write().co + std::size_t{1}, initial_write);
        result[each.write().co] = static_cast<event_id>(id);
    }
}

std::size_t execution_graph::co_size(location where) const noexcept {
    const event_id last = co_max(where);
    return co_of(last) + std::size_t{1};
}

event_id execution_graph::co_max(location where) const noexcept {
    if (const access_index* const index = index_.get()) [[unlikely]]
        return index->coherence(where).back();
    event_id result = initial_write;
    coherence_position co = 1;
    for (std::size_t id = 0; id < events_.size(); ++id) {
        const event& each = events_[id];
        if (each.where != where || !each.is_write() || each.write().co < co) continue;
        result = static_cast<event_id>(id);
        co = each.write().co;
    }
    return result;
}

event_id execution_graph::co_before(event_id write) const noexcept {
    const location where = events_[write].where;
    const auto co = static_cast<coherence_position>(events_[write].write().co - 1);
    if (is_indexed()) [[unlikely]]
        return indexed_coherence(where)[co];
    const auto found = std::ranges::find_if(
        events_, [&](const event& each) { return each.where == where && each.is_write() && each.write().co == co; });
    return found == events_.end() ? initial_write : static_cast<event_id>(found - events_.begin());
}

void execution_graph::revisit(const execution_graph& whole, event_id read, event_id write, const view& porf,
                              renumbering& tables) {
    keep(whole, read, true, write, porf, tables);
    event& revisited = events_[tables.renamed[read]];
    revisited.read().rf = tables.renamed[write];
    revisited.read().revisited = true;
    revisited.read().retry = retry_status::unknown;
}

void execution_graph::revisit_deleting_lock(const execution_graph& whole, event_id read, event_id write,
                                            const view& porf, renumbering& tables) {
    keep(whole, read, false, write, porf, tables);
    events_[before_in_thread(tables.renamed[write])].read().deletes_blocked_lock = true;
}

bool execution_graph::is_unrevisitable(event_id read) const noexcept {
    const event& which = events_[read];
    if (which.read().rf != initial_write && which.read().rf > read) return false;
    const coherence_position co = co_of(which.read().rf);
    return std::any_of(events_.begin(), events_.begin() + read, [&](const event& each) {
        return each.where == which.where && each.is_write() && each.write().co > co && which.may_read(each);
    });
}

// Adds the events of another graph that `keeps` selects, in their order.
template <class Keeps>
void execution_graph::take(const execution_graph& whole, std::vector<event_id>& renamed, Keeps keeps) {
    renamed.assign(whole.size(), initial_write);
    clear();
    arrivals_are_events = whole.arrivals_are_events;
    elides_locks = whole.elides_locks;
    late_timeouts = whole.late_timeouts;
    mixed_sizes = whole.mixed_sizes;
    future_reads = whole.future_reads;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        if (keeps(id, whole[id])) renamed[id] = add(whole[id]);
    }
    known_consistent = false;
}

void execution_graph::without_retry(const execution_graph& whole, event_id earlier, event_id read,
                                    renumbering& tables) {
    const event& last = whole[read];
    const event_index kept = whole[earlier].index;
    take(whole, tables.renamed,
         [&](event_id /*id*/, const event& each) { return each.thread_id != last.thread_id || each.index <= kept; });
    event& taken = events_[tables.renamed[earlier]];
    taken.read().rf = last.read().rf;
    taken.read().spurious = false;
    taken.read().retry = retry_status::unknown;
    rename(tables.renamed);
}

void execution_graph::rename(const std::vector<event_id>& renamed) {
    for (event& each : events_) {
        if (!each.is_read()) continue;
        if (each.read().rf != initial_write) each.read().rf = renamed[each.read().rf];
        if (each.read().redundant_wake_up_write != initial_write)
            each.read().redundant_wake_up_write = renamed[each.read().redundant_wake_up_write];
    }
}

void execution_graph::keep(const execution_graph& whole, event_id read, bool with_read, event_id write,
                           const view& porf, renumbering& tables) {
    take(whole, tables.renamed, [&](event_id id, const event& each) {
        if (id == write || (id == read && !with_read)) return false;
        return id <= read || porf.contains(each);
    });
    unrevisitable_prefix = whole.unrevisitable_prefix;
    tables.renamed[write] = add(whole[write]);
    rename(tables.renamed);
    close_gaps(events_.size() - 1, tables.written);
}

void execution_graph::restrict_to_prefix(const execution_graph& whole, event_id read, const view& porf,
                                         renumbering& tables) {
    take(whole, tables.renamed, [&](event_id id, const event& each) { return id == read || porf.contains(each); });
    rename(tables.renamed);
    close_gaps(events_.size(), tables.written);
}

void execution_graph::restrict_before(const execution_graph& whole, event_id read, const view& porf,
                                      renumbering& tables) {
    const event& last = whole[read];
    take(whole, tables.renamed, [&](event_id /*id*/, const event& each) {
        return porf.contains(each) && (each.thread_id != last.thread_id || each.index < last.index);
    });
    tables.renamed[read] = add(last);
    rename(tables.renamed);
    close_gaps(events_.size(), tables.written);
}

event_id execution_graph::make_future_read(const execution_graph& whole, event_id read, event_id write,
                                           const view& porf, bool fails, renumbering& tables) {
    const event& source = whole[write];
    const event_id left_out = fails ? whole.rmw_write_of(whole[read]) : initial_write;
    const bool is_last = std::ranges::none_of(whole.events(), [&](const event& each) {
        return each.thread_id == source.thread_id && each.index > source.index && porf.contains(each);
    });
    take(whole, tables.renamed, [&](event_id id, const event& each) {
        return porf.contains(each) && (id != write || !is_last) && id != left_out;
    });
    if (is_last) tables.renamed[write] = add(source);
    rename(tables.renamed);
    event& future = events_[tables.renamed[read]];
    for (event& each : events_) {
        if (fails && each.thread_id == future.thread_id && each.index > future.index) --each.index;
    }
    future.read().rf = tables.renamed[write];
    future.read().future = future.read().revisited = true;
    for (event& each : events_) {
        if (each.is_read()) each.read().retry = retry_status::unknown;
    }
    const event_id half = rmw_write_of(future);
    // Out of the way of the others.
    const location where = future.where;
    if (half != initial_write) events_[half].where = no_location;
    close_gaps(events_.size() - (is_last ? 1 : 0), tables.written);
    if (half != initial_write) events_[half].where = where;
    if (half != initial_write) events_[half].write().co = 0;
    if (is_last) events_.back().write().co = 0;
    future_reads = true;
    unrevisitable_prefix = events_.size();
    return half;
}

// Renumbers coherence positions among the first `events` events, closing the gaps that deleted writes left.
void execution_graph::close_gaps(std::size_t events, std::vector<event_id>& written) {
    written.clear();
    for (std::size_t id = 0; id < events; ++id) {
        if (events_[id].kind() == event_kind::write) written.push_back(static_cast<event_id>(id));
    }
    std::ranges::sort(written, [&](event_id a, event_id b) {
        return events_[a].where != events_[b].where ? events_[a].where < events_[b].where
                                                    : events_[a].write().co < events_[b].write().co;
    });
    coherence_position co = 0;
    location where = no_location;
    for (const event_id id : written) {
        co = events_[id].where == where ? static_cast<coherence_position>(co + 1) : coherence_position{1};
        where = events_[id].where;
        events_[id].write().co = co;
    }
}

std::uint64_t name_of(const execution_graph& graph, event_id id) noexcept {
    if (id == initial_write) return ~std::uint64_t{0};
    return (std::uint64_t{graph[id].thread_id} << 32U) | graph[id].index;
}

namespace {

std::uint64_t details_of(const execution_graph& graph, const event& each) noexcept {
    if (each.is_read()) return name_of(graph, each.read().rf);
    return each.is_write() ? each.write().co : each.value();
}

}  // namespace

std::uint64_t hash_without_order(const execution_graph& graph) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t id = 0; id < graph.size(); ++id) {
        const event& each = graph[static_cast<event_id>(id)];
        std::uint64_t hash = mixed_bits(name_of(graph, static_cast<event_id>(id)) + 1);
        hash = mixed_bits(hash + static_cast<std::uint64_t>(each.kind()) + (each.is_spurious() ? 16U : 0U) +
                          (std::uint64_t{each.variant()} << 8U));
        sum += mixed_bits(hash + details_of(graph, each));
    }
    return sum;
}

std::uint64_t hash_in_insertion_order(const execution_graph& graph) {
    std::uint64_t hash = graph.size();
    for (const event& each : graph.events()) {
        const auto kind = static_cast<std::uint64_t>(each.kind()) << 32 | std::uint64_t{each.variant()} << 40 |
                          (each.is_spurious() ? std::uint64_t{1} << 48 : 0) |
                          (each.is_future_read() ? std::uint64_t{1} << 49 : 0) | each.thread_id;
        const std::uint64_t details = each.is_read() ? each.read().rf : details_of(graph, each);
        const std::uint64_t value = each.is_write() ? each.write().value : 0;
        for (const std::uint64_t part : {kind, std::uint64_t{each.where}, details, value})
            hash = hash_of_number(part, hash);
    }
    return hash;
}

}  // namespace ordeal::detail::graph
