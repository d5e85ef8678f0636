// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/events/access_index.hpp"

#include <algorithm>
#include <array>

namespace ordeal::detail::graph {

namespace {

coherence_position position(const std::vector<event>& events, event_id write) noexcept {
    return write == initial_write ? coherence_position{0} : events[write].write().co;
}

}  // namespace

void access_index::add(const event& added, event_id id) { path_of(added.thread_id).push_back(id); }

const access_index::accesses_to_location* access_index::find(location where) const noexcept {
    if (last_ != nullptr && last_where_ == where) return last_;
    const auto found = locations_.find(where);
    if (found == locations_.end()) return nullptr;
    last_where_ = where;
    return last_ = &found->second;
}

access_index::accesses_to_location& access_index::at(location where) {
    // The elements of an unordered_map stay where they are.
    if (last_ != nullptr && last_where_ == where) return const_cast<accesses_to_location&>(*last_);
    accesses_to_location& found = locations_[where];
    last_where_ = where;
    last_ = &found;
    return found;
}

void access_index::note(const std::vector<event>& events, accesses_to_location& to, const event& by, event_id latest) {
    auto of_thread = std::ranges::find(to.threads, std::size_t{by.thread_id}, &accesses_of_thread::thread_id);
    if (of_thread == to.threads.end()) {
        to.threads.push_back({by.thread_id, {}});
        of_thread = to.threads.end() - 1;
    }
    std::vector<access>& all = of_thread->all;
    if (!all.empty() && position(events, all.back().latest) > position(events, latest)) latest = all.back().latest;
    all.push_back({by.index, latest});
}

void access_index::complete_read(const std::vector<event>& events, event_id read) {
    const event& made = events[read];
    note(events, at(made.where), made, made.read().rf);
}

void access_index::place(const std::vector<event>& events, event_id write, coherence_position co) {
    const event& made = events[write];
    accesses_to_location& there = at(made.where);
    there.order.insert(there.order.begin() + static_cast<std::ptrdiff_t>(co), write);
    note(events, there, made, write);
}

coherence_position access_index::position_for(const std::vector<event>& events, const event& write) const noexcept {
    const std::span<const event_id> order = coherence(write.where);
    const auto next = std::ranges::partition_point(
        order, [&](event_id each) { return each == initial_write || events[each].write().co < write.write().co; });
    return static_cast<coherence_position>(next - order.begin());
}

std::span<const event_id> access_index::coherence(location where) const noexcept {
    static constexpr std::array<event_id, 1> only_initial{initial_write};
    const accesses_to_location* const found = find(where);
    return found == nullptr ? std::span<const event_id>(only_initial) : std::span<const event_id>(found->order);
}

event_id access_index::latest_seen(const std::vector<event>& events, location where, const view& seen) const noexcept {
    event_id result = initial_write;
    const accesses_to_location* const found = find(where);
    if (found == nullptr) return result;
    for (const accesses_of_thread& each : found->threads) {
        const event_index known = seen[each.thread_id];
        if (known == 0 || each.all.front().index >= known) continue;
        // As a rule all of them are known, or nearly all.
        auto end = each.all.end();
        std::ptrdiff_t step = 1;
        auto low = end - 1;
        while (low->index >= known) {
            end = low;
            step = std::min(2 * step, low - each.all.begin());
            low -= step;
        }
        const auto last = std::partition_point(low, end, [&](const access& one) { return one.index < known; }) - 1;
        if (position(events, last->latest) > position(events, result)) result = last->latest;
    }
    return result;
}

}  // namespace ordeal::detail::graph
