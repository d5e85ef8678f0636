// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ordeal::detail::graph {

/// How an access conflicts with others.
struct access_kind {
    bool writes = false;
    bool atomic = false;

    auto operator<=>(const access_kind&) const = default;
    [[nodiscard]] constexpr bool conflicts_with(access_kind other) const noexcept {
        return (writes || other.writes) && !(atomic && other.atomic);
    }
};

struct noted_access {
    memory_range where;
    access_kind kind;

    bool operator==(const noted_access& other) const noexcept {
        return where.address == other.where.address && where.size == other.where.size && kind == other.kind;
    }
};

/// The accesses of a thread since its first wait that ended spuriously.
struct woken_accesses {
    static constexpr std::size_t most = 2'000;

    struct access {
        noted_access what;
        event_index events;  ///< of its thread, before it made the access last
    };
    std::vector<access> all;  ///< each once
    bool too_many = false;    ///< there are more
    event_index new_at = 0;   ///< `events` of the last one that it had not made directly before its wait

    void note(const noted_access& what, event_index events, bool is_new) {
        if (is_new) new_at = events;
        const auto known = std::ranges::find(all, what, &access::what);
        if (known != all.end()) {
            known->events = events;
        } else if (all.size() < most) {
            const harness_scope harness;
            all.push_back({what, events});
        } else {
            too_many = true;
        }
    }
    void clear() noexcept {
        all.clear();
        too_many = false;
        new_at = 0;
    }
};

/// The non-atomic bytes that a thread accesses after one of its events.
class iteration_accesses {
public:
    /// Of this thread, once it has more than `after` events.
    iteration_accesses(int thread_id, event_index after) noexcept : thread_id_(thread_id), after_(after) {}

    void note(int thread_id, event_index events, memory_range where, bool writes) {
        if (thread_id != thread_id_ || events <= after_) return;
        const harness_scope harness;
        too_many_ |= where.size > most || bytes_.size() > most;
        if (too_many_) return;
        for (std::size_t i = 0; i < where.size; ++i) bytes_[where.address + i] |= writes;
    }

    /// Whether `other` accesses every byte accessed here and writes the same ones. Written bytes are defined from then
    /// on, whatever memory holds.
    [[nodiscard]] bool are_within(const iteration_accesses& other) const {
        if (too_many_ || other.too_many_) return false;
        const auto written_in = [](const iteration_accesses& all, std::uintptr_t address) {
            const auto found = all.bytes_.find(address);
            return found != all.bytes_.end() && found->second;
        };
        return std::ranges::all_of(bytes_,
                                   [&](const auto& each) {
                                       return each.second ? written_in(other, each.first)
                                                          : other.bytes_.contains(each.first);
                                   }) &&
               std::ranges::all_of(other.bytes_,
                                   [&](const auto& each) { return !each.second || written_in(*this, each.first); });
    }

private:
    static constexpr std::size_t most = 4096;

    int thread_id_;
    event_index after_;
    bool too_many_ = false;
    std::map<std::uintptr_t, bool> bytes_;  ///< whether it was written
};

}  // namespace ordeal::detail::graph
