// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::detail {

/// Whether an address is in the globals of a module that was loaded at the first call, and is neither a trial nor a
/// library of trials, see for_each_library_of_trials(). Standard streams are in such modules, and several threads may
/// use those concurrently ([iostream.objects.overview]).
[[nodiscard]] bool is_foreign_global(std::uintptr_t address) noexcept;

/// Whether an address is in memory that is neither on trial nor part of a module: a library allocated it for itself.
[[nodiscard]] bool is_unknown_memory(std::uintptr_t address) noexcept;

}  // namespace ordeal::detail
