// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ordeal::detail::graph {

/// The events of each thread in program order. Refilled in place, so that its memory is reused.
class thread_paths {
public:
    using path = std::vector<event_id>;

    thread_paths() = default;
    /// Of all events of a graph.
    explicit thread_paths(const execution_graph& graph) {
        for (std::size_t id = 0; id < graph.size(); ++id) {
            const auto each = static_cast<event_id>(id);
            add(graph[each].thread_id, each);
        }
    }

    void clear() noexcept {
        for (path& each : std::span(all_.data(), used_)) each.clear();
        used_ = 0;
    }
    void add(std::size_t thread_id, event_id next) {
        if (thread_id >= used_) used_ = thread_id + 1;
        all_[thread_id].push_back(next);
    }

    [[nodiscard]] const path& operator[](std::size_t thread_id) const noexcept { return all_[thread_id]; }
    /// No thread with this id, or a higher one, has events.
    [[nodiscard]] std::size_t size() const noexcept { return used_; }
    [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
    [[nodiscard]] auto end() const noexcept { return all_.begin() + static_cast<std::ptrdiff_t>(used_); }

private:
    std::array<path, max_thread_ids> all_;
    std::size_t used_ = 0;
};

}  // namespace ordeal::detail::graph
