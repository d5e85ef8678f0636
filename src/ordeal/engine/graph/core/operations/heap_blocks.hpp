// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/operations/operation.hpp"
#include "ordeal/engine/graph/non_atomic/non_atomic_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// Allocation, free, and reuse of freed memory. An allocation that has a choice is an event: it takes fresh memory, or
/// a block whose free happens before it. The candidates are in the thread's happens-before, so no other event, and no
/// revisit that keeps the allocation in place, changes whether there is a choice. Fresh memory is what a search takes
/// first: an allocation that takes anything else is never deleted by a revisit.
class heap_blocks : operation {
public:
    /// `bytes`: the memory of instrumented code, else null.
    heap_blocks(const operation_parts& of, non_atomic_memory* bytes) : operation(of), non_atomic_memory_(bytes) {}

    void begin() noexcept {
        taken_.clear();
        searched_ = 0;
    }

    /// The block that an allocation takes; 0: fresh memory.
    std::uintptr_t freed_before(std::size_t size, std::size_t alignment);
    void allocated(memory_range block);
    void freed(memory_range block);

private:
    [[nodiscard]] bool some_freed(std::size_t size, bool of_constructors) const noexcept;
    [[nodiscard]] bool chooses_block(std::size_t size, bool of_constructors);
    void find_candidates(std::size_t size, std::size_t alignment, bool of_constructors);
    void find_taken();
    [[nodiscard]] bool is_the_last() const noexcept;
    void bound_candidates();
    void choose_block(event_id id);
    [[nodiscard]] std::uintptr_t take_block(std::uint64_t name, std::size_t size);

    non_atomic_memory* non_atomic_memory_;
    std::vector<freed_block> candidates_;
    std::vector<std::uint64_t> taken_;  ///< names of the blocks that the graph has taken, as far as it was searched
    std::size_t searched_ = 0;          ///< so many events
};

}  // namespace ordeal::detail::graph
