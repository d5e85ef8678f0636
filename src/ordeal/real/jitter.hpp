// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"

#include <atomic>
#include <cstdint>
#include <source_location>
#include <span>

namespace ordeal {

/// Where a thread of a scenario was last seen, for a report on a hang. Written by that thread, read by another; relaxed,
/// so that looking on orders nothing in the code on trial.
struct thread_position {
    std::atomic<const char*> file{nullptr};
    std::atomic<std::uint32_t> line{0};
};

/// Seeded delays at the operations of one real thread. Without begin() there are none.
namespace jitter {

/// From now on this thread is delayed now and then, by this seed, and leaves its position in `where` (may be null).
void begin(std::uint64_t seed, thread_position* where) noexcept;
/// No more delays on this thread.
void end() noexcept;

/// Called before every operation.
void before(const std::source_location& at) noexcept;

/// A number of this thread's sequence.
[[nodiscard]] std::uint64_t draw() noexcept;

/// The orders to use in place of the declared ones, for all threads; set before they start, and not changed while they
/// run, so that reading it needs no synchronisation that would order the code on trial.
void set_overrides(std::span<const order_override> overrides) noexcept;

/// The order in force at a site.
[[nodiscard]] std::memory_order effective(const std::source_location& at, role what,
                                          std::memory_order declared) noexcept;

}  // namespace jitter

}  // namespace ordeal
