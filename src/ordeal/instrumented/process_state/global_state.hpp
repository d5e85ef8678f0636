// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::global_state {

// The variables of trial libraries that outlive an execution, and what their constructors allocated; and those of
// libstdc++: standard streams, handlers, the global locale. A page is write-protected until it is first written in a
// search, by instrumented code or not; then it is copied.

/// Records the current state as the initial one.
void begin_search();
/// Restores libstdc++'s state, which is the harness's again.
void end_search() noexcept;

/// Restores the initial state.
void begin_execution() noexcept;

/// Save and restore the globals of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// Whether `address` was in a page that has now become writable. For a signal handler.
[[nodiscard]] bool handle_fault(std::uintptr_t address) noexcept;

/// Before a call that may let the kernel write there, which would make the call fail instead of faulting. Ignores other
/// memory.
void make_writable(memory_range where) noexcept;

/// The pages written in this search.
[[nodiscard]] std::vector<memory_range> written();

/// A hash of their contents.
[[nodiscard]] std::uint64_t fingerprint() noexcept;
/// Whether they may hold a point in time, see virtual_time.
[[nodiscard]] bool holds_time() noexcept;

/// Whether `fingerprint` covers this address.
[[nodiscard]] bool contains(std::uintptr_t address) noexcept;

}  // namespace ordeal::detail::global_state
