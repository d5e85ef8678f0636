// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/explanation.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// What a reads-from edge between two threads lacks to synchronise.
struct missing_orders {
    bool release = false;  ///< at the write, or in a fence before it
    bool acquire = false;  ///< at the read, or in a fence after it
};

/// Of a write and a read, each with the step of its thread from which on, or up to which, a fence would do.
[[nodiscard]] missing_orders lacking(const trace_relations& steps, std::size_t entry, std::size_t write,
                                     std::size_t read, std::size_t exit);

/// A way from the one step to the other, by program order and reads-from, that has the fewest edges which do not
/// synchronise, and then is the shortest. Empty: there is none. The orders that its missing links lack are those without which the two
/// are not ordered in this execution. `without`: an edge that it may not have.
[[nodiscard]] std::vector<step_link> nearly_ordered(const trace_relations& steps, std::size_t from, std::size_t to,
                                                    std::optional<std::pair<std::size_t, std::size_t>> without = {});

/// Of a way or a cycle: marks the edges of reads-from that would have to synchronise. In a cycle they would have to where
/// the rest of it is program order and one edge more.
void mark_missing(const trace_relations& steps, std::vector<step_link>& links, bool is_cycle);

/// What a missing edge lacks, with the fences that its threads have at that point of the way.
[[nodiscard]] missing_orders lacking(const trace_relations& steps, const std::vector<step_link>& links,
                                     std::size_t link);

/// The fences that the source of their thread has between these two, whatever their order.
[[nodiscard]] std::vector<std::size_t> fences_between(const trace_relations& steps, std::size_t from, std::size_t to);

/// The steps of a thread from which on, or up to which, a fence would do for an edge of a way.
struct fence_room {
    std::size_t entry = 0;
    std::size_t exit = 0;
};
[[nodiscard]] fence_room room_of(const trace_relations& steps, const std::vector<step_link>& links, std::size_t link);

/// Whether the thread of these two has such a fence between them.
[[nodiscard]] bool has_seq_cst_fence(const trace_relations& steps, std::size_t from, std::size_t to);

/// The order that has both.
[[nodiscard]] order with_release(order value) noexcept;
[[nodiscard]] order with_acquire(order value) noexcept;

}  // namespace ordeal::detail
