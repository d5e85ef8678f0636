// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal::model_tests {

/// reference-data/litmus.md as the tables have it.
[[nodiscard]] std::string litmus_document();

}  // namespace ordeal::model_tests
