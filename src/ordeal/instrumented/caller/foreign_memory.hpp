// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::detail {

/// Whether an address is in a global that nobody checks: of a module that was loaded at the first call, and is no
/// trial, unless library_globals_on_trial() has it.
[[nodiscard]] bool is_foreign_global(std::uintptr_t address) noexcept;

/// Whether an address is in memory that is neither on trial nor part of a module: a library allocated it for itself.
[[nodiscard]] bool is_unknown_memory(std::uintptr_t address) noexcept;

}  // namespace ordeal::detail
