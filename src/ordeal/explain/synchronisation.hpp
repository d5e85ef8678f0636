// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/explanation.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// The latest step of each other thread that happens before this one, and not before the preceding one of its thread:
/// what it synchronises with, by whatever means.
[[nodiscard]] std::vector<std::size_t> synchronises_from(const trace_relations& steps, std::size_t step);

/// What a reads-from edge between two threads lacks to synchronise.
struct missing_orders {
    bool release = false;  ///< at the write, or in a fence before it
    bool acquire = false;  ///< at the read, or in a fence after it
};

/// Of a write and a read. `entry`, `exit`: the steps of their threads between which and them a fence would do.
[[nodiscard]] missing_orders lacking(const trace_relations& steps, std::size_t entry, std::size_t write,
                                     std::size_t read, std::size_t exit);

/// A path between two steps, by program order and reads-from, with the fewest edges that do not synchronise, and among
/// those the shortest. Empty: there is none. Without the orders that its missing links lack, the two steps are
/// unordered in this execution. `without`: an edge that the path must not have.
[[nodiscard]] std::vector<step_link> nearly_ordered(const trace_relations& steps, std::size_t from, std::size_t to,
                                                    std::optional<std::pair<std::size_t, std::size_t>> without = {});

/// Marks the reads-from edges of a path or a cycle that would have to synchronise. In a cycle they would have to if the
/// rest of it is program order and one more edge.
void mark_missing(const trace_relations& steps, std::vector<step_link>& links, bool is_cycle);

/// What a missing edge lacks, given the fences of its threads at that point of the path.
[[nodiscard]] missing_orders lacking(const trace_relations& steps, const std::vector<step_link>& links,
                                     std::size_t link);

/// The fences in the thread of these two steps between them, whatever their order.
[[nodiscard]] std::vector<std::size_t> fences_between(const trace_relations& steps, std::size_t from, std::size_t to);

/// The steps of a thread between which a fence would do for an edge of a path.
struct fence_room {
    std::size_t entry = 0;
    std::size_t exit = 0;
};
[[nodiscard]] fence_room room_of(const trace_relations& steps, const std::vector<step_link>& links, std::size_t link);

/// Whether the thread of these two steps has such a fence between them.
[[nodiscard]] bool has_seq_cst_fence(const trace_relations& steps, std::size_t from, std::size_t to);

/// The order with both halves.
[[nodiscard]] order with_release(order value) noexcept;
[[nodiscard]] order with_acquire(order value) noexcept;

}  // namespace ordeal::detail
