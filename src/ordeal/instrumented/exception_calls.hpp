// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/memory.hpp"

namespace ordeal::exception_memory {

// Exceptions of the code on trial, libstdc++'s as well. They are not blocks of its heap: an injected failure of an
// allocation does not meet them, nor are they leaks. But they lie at fixed addresses, too, none used twice in an execution.

[[nodiscard]] memory_range region() noexcept;

/// Forgets all exceptions.
void begin_execution() noexcept;

}  // namespace ordeal::exception_memory
