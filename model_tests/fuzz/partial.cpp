// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/partial.hpp"

#include <algorithm>

namespace ordeal::model_tests::fuzz {

using namespace detail;

using rc11::event;
using rc11::event_kind;

partial::partial(const program& what) : what_(&what) {
    for (std::size_t location = 0; location <= latch_location; ++location) {
        graph.coherence.push_back({location});
        graph.events.push_back({.location = static_cast<int>(location)});
    }
    for (thread_state& each : threads) each.registers.fill(none);
}

bool partial::at_end(std::size_t thread) const { return threads[thread].next == what_->threads[thread].size; }

bool partial::is_over(std::size_t thread) const {
    const int number = static_cast<int>(thread);
    return at_end(thread) && std::ranges::find(holder, number) == holder.end() && exclusive != number &&
           (shared >> thread & 1) == 0;
}

const instruction& partial::instruction_of(std::size_t thread) const {
    static const instruction gives_back{.what = operation::unlock};
    return at_end(thread) ? gives_back : what_->threads[thread].at[threads[thread].next];
}

bool partial::has(std::size_t thread, const instruction& each) const {
    const int number = static_cast<int>(thread);
    if (each.what >= operation::lock && each.what <= operation::lock_until) {
        return holder[static_cast<std::size_t>(each.object)] == number;
    }
    if (each.what >= operation::lock_shared && each.what <= operation::try_lock_exclusive) {
        return exclusive == number || (shared >> thread & 1) != 0;
    }
    return false;
}

std::array<register_file, max_threads> partial::registers() const {
    std::array<register_file, max_threads> result{};
    for (std::size_t i = 0; i < max_threads; ++i) result[i] = threads[i].registers;
    return result;
}

int partial::last_value(int location) const {
    return graph.events[graph.coherence[static_cast<std::size_t>(location)].back()].value;
}

std::array<int, atomics + cells> partial::last_values() const {
    std::array<int, atomics + cells> result{};
    for (std::size_t i = 0; i < atomics; ++i) result[i] = last_value(static_cast<int>(i));
    for (std::size_t i = 0; i < cells; ++i) result[atomics + i] = values[i];
    return result;
}

bool partial::is_taken(std::size_t write) const {
    return std::ranges::any_of(graph.events, [&](const event& each) {
        return each.kind == event_kind::read && each.modifies && each.source == write;
    });
}

std::size_t partial::add(const event& next) {
    graph.events.push_back(next);
    return graph.events.size() - 1;
}

int partial::add_read(std::size_t thread, int location, order how, std::size_t source, bool modifies) {
    const int value = graph.events[source].value;
    add({.thread = static_cast<int>(thread),
         .kind = event_kind::read,
         .using_order = how,
         .location = location,
         .value = value,
         .source = source,
         .modifies = modifies});
    return value;
}

void partial::add_write(std::size_t thread, const instruction& each, int value, std::size_t place, bool modifies) {
    auto& writes = graph.coherence[static_cast<std::size_t>(each.object)];
    writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(place), graph.events.size());
    add({.thread = static_cast<int>(thread),
         .kind = event_kind::write,
         .using_order = each.using_order,
         .location = each.object,
         .value = value,
         .modifies = modifies});
}

void partial::synchronise(std::size_t thread, const events& with) {
    const std::size_t mine = add_other(thread);
    for (const std::size_t each : with) graph.synchronised.emplace_back(each, mine);
}

void partial::lock(std::size_t thread, std::size_t which) {
    synchronise(thread, unlocks_[which]);
    holder[which] = static_cast<int>(thread);
}

void partial::unlock(std::size_t thread, std::size_t which) {
    unlocks_[which].push_back(add_other(thread));
    holder[which] = none;
}

void partial::lock_shared(std::size_t thread) {
    synchronise(thread, exclusive_unlocks_);
    shared |= 1U << thread;
}

void partial::unlock_shared(std::size_t thread) {
    shared_unlocks_.push_back(add_other(thread));
    shared &= ~(1U << thread);
}

void partial::lock_exclusive(std::size_t thread) {
    events both = exclusive_unlocks_;
    both.insert(both.end(), shared_unlocks_.begin(), shared_unlocks_.end());
    synchronise(thread, both);
    exclusive = static_cast<int>(thread);
}

void partial::unlock_exclusive(std::size_t thread) {
    exclusive_unlocks_.push_back(add_other(thread));
    exclusive = none;
}

void partial::acquire(std::size_t thread) {
    (void)find_count(thread, counts.size() - 1);
    looks_.back().second = counts.size();
    counts.push_back(counts.back() - 1);
}

void partial::release(std::size_t thread) {
    const std::size_t mine = add_other(thread);
    looks_.emplace_back(mine, counts.size());
    releases_.emplace_back(mine, counts.size());
    counts.push_back(counts.back() + 1);
}

bool partial::find_count(std::size_t thread, std::size_t place) {
    const std::size_t mine = add_other(thread);
    for (const auto& [release, made] : releases_) {
        if (made <= place) graph.synchronised.emplace_back(release, mine);
    }
    const rc11::relation before = rc11::happens_before(graph);
    for (const auto& [look, seen] : looks_) {
        if (seen > place && before.has(look, mine)) return false;
    }
    looks_.emplace_back(mine, place);
    return true;
}

void partial::give_back(std::size_t thread) {
    const int number = static_cast<int>(thread);
    for (std::size_t i = 0; i < mutexes; ++i) {
        if (holder[i] == number) return unlock(thread, i);
    }
    if (exclusive == number) return unlock_exclusive(thread);
    unlock_shared(thread);
}

std::string partial::key() const {
    // The name of an event: its thread, and which of that thread's it is.
    std::vector<std::pair<char, char>> names;
    std::array<int, max_threads + 1> lengths{};
    for (const event& each : graph.events) {
        names.emplace_back(static_cast<char>('0' + each.thread),
                           static_cast<char>('0' + lengths[static_cast<std::size_t>(each.thread + 1)]++));
    }
    std::string result;
    const auto number = [&](auto value) { result += static_cast<char>('0' + static_cast<int>(value)); };
    const auto name = [&](std::size_t which) {
        result += names[which].first;
        result += names[which].second;
    };
    for (std::size_t thread = 0; thread < max_threads; ++thread) {
        for (std::size_t i = 0; i < graph.events.size(); ++i) {
            const event& each = graph.events[i];
            if (each.thread != static_cast<int>(thread)) continue;
            number(each.kind);
            number(each.location);
            number(each.value);
            number(each.modifies);
            if (each.kind == event_kind::read) name(each.source);
        }
        const thread_state& state = threads[thread];
        number(state.next);
        for (const int value : state.registers) number(value);
        for (const int value : state.iterations) number(value);
        number(state.phase);
        number(state.spurious);
        if (state.phase == waiting) name(state.observed);
        if (state.phase == woken) name(notifications[state.woken_by].event);
        result += '|';
    }
    for (const auto& writes : graph.coherence) {
        for (const std::size_t each : writes) name(each);
        result += '|';
    }
    std::vector<std::string> edges;
    for (const auto& [from, to] : graph.synchronised) {
        edges.push_back({names[from].first, names[from].second, names[to].first, names[to].second});
    }
    std::ranges::sort(edges);
    for (const std::string& each : edges) result += each;
    result += '|';
    // The order of notifications and of blocking, as far as it matters: what a wait may still read.
    for (const notification& each : notifications) name(each.event);
    result += '|';
    for (const int each : holder) number(each);
    number(exclusive);
    number(shared);
    for (const int each : counts) number(each);
    std::vector<std::string> looks;
    for (const auto& [look, place] : looks_)
        looks.push_back({names[look].first, names[look].second, static_cast<char>(place)});
    std::ranges::sort(looks);
    for (const std::string& each : looks) result += each;
    for (const int each : values) number(each);
    return result;
}

}  // namespace ordeal::model_tests::fuzz
