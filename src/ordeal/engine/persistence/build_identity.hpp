// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal {

/// Sixteen digits that stand for the program that runs and its shared libraries, trials among them: for their code, their
/// constants and what their variables begin with, not for where the files are. Worked out once, as these were when they were
/// loaded; any thread may ask. Throws std::runtime_error when a file cannot be read.
[[nodiscard]] const std::string& build_identity();

}  // namespace ordeal
