// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/compiler_calls.hpp"

namespace ordeal {

/// Whether a read from this descriptor may have to wait for somebody. One that is no descriptor fails at once.
[[nodiscard]] bool may_wait(int file) noexcept;

/// On trial ends the search, by name, before a function waits for what the model does not see.
[[gnu::always_inline]] inline void refuse_if_it_blocks(int file, const char* function) {
    if (current() != nullptr && may_wait(file)) refused_on_trial(function);
}

}  // namespace ordeal
