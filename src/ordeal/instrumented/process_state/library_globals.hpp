// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail {
class snapshot;
}  // namespace ordeal::detail

/// What code on trial has written to globals of libraries, see library_globals_on_trial(). What a library itself writes
/// there stays, as what it allocates does.
namespace ordeal::detail::library_globals {

/// The code on trial is about to write these bytes, or gives an atomic there another value.
void note_write(memory_range where);

/// Restores all that was written.
void begin_execution() noexcept;

/// What is written now, as roots of blocks.
[[nodiscard]] std::vector<memory_range> written();

/// Saves for the current execution. Incomplete if it has written something.
void save(snapshot& to);
void restore(snapshot& from);
/// A hash of the bytes that are written now.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::detail::library_globals
