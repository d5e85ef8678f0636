// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace ordeal::detail::graph {

/// Position of an event in its graph, which is also the order of insertion (the stamps of TruSt).
using event_id = std::uint32_t;
/// Which of its thread's events it is; also a number of events of a thread, and an epoch as in `object`.
using event_index = std::uint32_t;
/// A position in the coherence order of a location: the initial value is at 0.
using coherence_position = std::uint32_t;
/// The `rf` of a read that reads the initial value of its location.
inline constexpr event_id initial_write = 0xffff'ffff;
/// Fewer than an epoch in byte_shadow can count.
inline constexpr std::size_t max_events = 0x7f'fff0;

}  // namespace ordeal::detail::graph
