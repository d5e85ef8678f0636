// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ordeal::detail::graph {

/// Is told what the running thread does that could distinguish it from others, and decides what its joins are ordered
/// after.
class thread_observer {
public:
    thread_observer() = default;
    thread_observer(const thread_observer&) = delete;
    thread_observer& operator=(const thread_observer&) = delete;
    virtual ~thread_observer() = default;

    /// `event`: the index of the creation in its thread. The new thread has what happened before it.
    virtual void created(event_index event, int thread_id) = 0;
    /// It has waited for the end of another thread. Returns those whose effects happen before what it does next.
    [[nodiscard]] virtual std::span<const std::uint8_t> joined(int thread_id) = 0;
    virtual void asked_id() = 0;
    virtual void finished() = 0;
    /// It allocates, and nothing orders it after the free of a block of this size.
    virtual void allocates_unordered(std::size_t size) = 0;
    /// A block is freed. `unordered`: another thread has allocated one of this size, and nothing orders that before.
    virtual void freed(memory_range block, std::size_t size, bool unordered) = 0;
};

}  // namespace ordeal::detail::graph
