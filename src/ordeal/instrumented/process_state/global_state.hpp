// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <vector>

namespace ordeal {
class snapshot;
}

namespace ordeal::global_state {

// The variables of trial libraries that outlive an execution, and what their constructors allocated; and those of libstdc++:
// standard streams, handlers, the global locale. Whoever writes them, instrumented or not, a page is write-protected until it is
// written for the first time in a search; then there is a copy.

/// Everything is from now on as it is.
void begin_search();
/// What is libstdc++'s is as it was then, and the harness's again.
void end_search() noexcept;

/// Everything is as it was then.
void begin_execution() noexcept;

/// All of this, of the execution that runs.
void save(snapshot& to);
void restore(snapshot& from);

/// Whether `address` was in a page that has now become writable. For a signal handler.
[[nodiscard]] bool handle_fault(std::uintptr_t address) noexcept;

/// Before a call that may let the kernel write there: that is no fault, it makes the call fail. What is in no such page is left alone.
void make_writable(memory_range where) noexcept;

/// The pages that have been written in this search.
[[nodiscard]] std::vector<memory_range> written();

/// A hash of what has been written.
[[nodiscard]] std::uint64_t fingerprint() noexcept;
/// Whether that may hold a point in time, see virtual_time.
[[nodiscard]] bool holds_time() noexcept;

/// Whether a change to this address is seen by `fingerprint`.
[[nodiscard]] bool contains(std::uintptr_t address) noexcept;

}  // namespace ordeal::global_state
