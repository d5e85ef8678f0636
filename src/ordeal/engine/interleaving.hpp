// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"

#include <optional>

namespace ordeal {

/// The steps in an order in which each read reads the newest write, with as few changes of thread as come by themselves; they keep
/// their numbers. Nothing where there is none: the execution is not one of sequential consistency, or steps of it are left
/// out.
[[nodiscard]] std::optional<trace> as_interleaving(const trace& steps);

}  // namespace ordeal
