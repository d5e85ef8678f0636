// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"

#include <atomic>
#include <cstdint>
#include <source_location>
#include <span>

namespace ordeal {

/// The last position of a scenario's thread, for a report on a hang. Written by that thread, read by another; relaxed,
/// so that the observer orders nothing in the code on trial.
struct thread_position {
    std::atomic<const char*> file{nullptr};
    std::atomic<std::uint32_t> line{0};
};

/// Seeded delays at the operations of a real thread. Without begin() there are none.
namespace jitter {

/// Delays this thread now and then from now on, by this seed, and records its position in `where` (may be null).
void begin(std::uint64_t seed, thread_position* where) noexcept;
/// Ends the delays of this thread.
void end() noexcept;

/// Called before every operation.
void before(const std::source_location& at) noexcept;

/// The next number of this thread's sequence.
[[nodiscard]] std::uint64_t draw() noexcept;

/// The orders that replace the declared ones, for all threads; set before they start and constant while they run, so
/// that reading them needs no synchronisation that would order the code on trial.
void set_overrides(std::span<const order_override> overrides) noexcept;

/// The order in force at a site.
[[nodiscard]] std::memory_order effective(const std::source_location& at, role what,
                                          std::memory_order declared) noexcept;

}  // namespace jitter

}  // namespace ordeal
