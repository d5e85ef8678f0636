// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/foreign_memory.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

namespace ordeal::detail {

/// The runtime, if the caller is instrumented code on trial; null in any other code of the process.
[[nodiscard]] inline instrumented_runtime* runtime_on_trial() noexcept {
    return on_trial() ? detail::active_instrumented_runtime : nullptr;
}

/// The same if the object belongs to the code on trial: libraries have locks of their own for one-time work.
[[nodiscard]] inline instrumented_runtime* runtime_on_trial_for(const volatile void* object) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    return runtime == nullptr || is_foreign_global(reinterpret_cast<std::uintptr_t>(object)) ? nullptr : runtime;
}

}  // namespace ordeal::detail
