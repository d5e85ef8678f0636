// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"

#include <optional>

namespace ordeal::detail {

/// Reorders the steps into an interleaving: each read reads the latest write, with few context switches; steps keep
/// their numbers. Nothing if there is none: the execution is not sequentially consistent, or some of its steps are
/// missing.
[[nodiscard]] std::optional<trace> as_interleaving(const trace& steps);

}  // namespace ordeal::detail
