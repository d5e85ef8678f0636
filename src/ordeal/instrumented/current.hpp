// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/foreign_memory.hpp"
#include "ordeal/model/byte_memory.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal {

/// The port, when it is instrumented code on trial that calls; null in any other code of the process.
[[nodiscard]] inline byte_memory* current() noexcept { return on_trial() ? detail::active_bytes : nullptr; }

/// The same, where what is asked for belongs to the code on trial: libraries have locks of their own, for what they do once.
[[nodiscard]] inline byte_memory* current_for(const volatile void* object) noexcept {
    byte_memory* const port = current();
    return port == nullptr || is_foreign_global(reinterpret_cast<std::uintptr_t>(object)) ? nullptr : port;
}

/// The code point of the function that calls this: its own caller is the code on trial.
[[nodiscard, gnu::always_inline]] inline code_point code_point_here(const char* operation) noexcept {
    return {reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
            reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), operation};
}

}  // namespace ordeal
