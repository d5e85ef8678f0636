// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal::detail {

/// Sixteen digits that identify the running program and its shared libraries, trials included: their code, constants
/// and initial values of variables, not their paths. Computed once, from the state when they were loaded; thread-safe.
/// Throws std::runtime_error if a file cannot be read.
[[nodiscard]] const std::string& build_identity();

}  // namespace ordeal::detail
