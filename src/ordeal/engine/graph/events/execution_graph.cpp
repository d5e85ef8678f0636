// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/events/execution_graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace ordeal::graph {

event_id execution_graph::add(const event& value) {
    if (events_.size() >= max_events) throw std::length_error("an execution has too many events");
    events_.push_back(value);
    return static_cast<event_id>(events_.size() - 1);
}

void execution_graph::put(event_id write, std::uint16_t place) noexcept {
    const location where = events_[write].where;
    events_[write].place = 0;
    for (event& each : events_) {
        if (each.where == where && each.kind == event_kind::write && each.place >= place) ++each.place;
    }
    events_[write].place = place;
}

event_id execution_graph::source_of_exclusive(event_id write) const noexcept {
    for (std::size_t i = write; i > 0; --i) {
        const event& each = events_[i - 1];
        if (each.number == events_[write].number) return each.source;
    }
    return initial_write;
}

std::uint16_t execution_graph::bound(location where, const view& seen) const noexcept {
    std::uint16_t result = 0;
    for (const event& each : events_) {
        if (each.where != where || !seen.contains(each.number, each.index)) continue;
        const std::uint16_t place = each.kind == event_kind::write ? each.place : place_of(each.source);
        result = std::max(result, place);
    }
    return result;
}

void execution_graph::coherence(location where, std::vector<event_id>& result) const {
    result.assign(1, initial_write);
    for (std::size_t id = 0; id < events_.size(); ++id) {
        const event& each = events_[id];
        if (each.where != where || each.kind != event_kind::write || each.place == 0) continue;
        if (result.size() <= each.place) result.resize(each.place + std::size_t{1}, initial_write);
        result[each.place] = static_cast<event_id>(id);
    }
}

std::size_t execution_graph::places(location where) const noexcept {
    const event_id last = newest(where);
    return place_of(last) + std::size_t{1};
}

event_id execution_graph::newest(location where) const noexcept {
    event_id result = initial_write;
    std::uint16_t place = 1;
    for (std::size_t id = 0; id < events_.size(); ++id) {
        const event& each = events_[id];
        if (each.where != where || each.kind != event_kind::write || each.place < place) continue;
        result = static_cast<event_id>(id);
        place = each.place;
    }
    return result;
}

void execution_graph::revisit(const execution_graph& whole, event_id read, event_id write, const view& prefix,
                              revisit_tables& tables) {
    std::vector<event_id>& renamed = tables.renamed;
    renamed.assign(whole.size(), initial_write);
    clear();
    for (std::size_t id = 0; id < whole.size(); ++id) {
        const event& each = whole[static_cast<event_id>(id)];
        if (id == write || (id > read && !prefix.contains(each.number, each.index))) continue;
        renamed[id] = add(each);
    }
    renamed[write] = add(whole[write]);
    for (event& each : events_) {
        if (each.kind == event_kind::read && each.source != initial_write) each.source = renamed[each.source];
    }
    events_[renamed[read]].source = renamed[write];
    events_[renamed[read]].revisited = true;
    checked = false;
    close_gaps(tables.written);
}

// The places that deleted writes had are given to those that came after them. The last event has none yet.
void execution_graph::close_gaps(std::vector<event_id>& written) {
    written.clear();
    for (std::size_t id = 0; id + 1 < events_.size(); ++id) {
        if (events_[id].kind == event_kind::write) written.push_back(static_cast<event_id>(id));
    }
    std::ranges::sort(written, [&](event_id a, event_id b) {
        return events_[a].where != events_[b].where ? events_[a].where < events_[b].where
                                                    : events_[a].place < events_[b].place;
    });
    std::uint16_t place = 0;
    location where = no_location;
    for (const event_id id : written) {
        place = events_[id].where == where ? static_cast<std::uint16_t>(place + 1) : std::uint16_t{1};
        where = events_[id].where;
        events_[id].place = place;
    }
}

}  // namespace ordeal::graph
