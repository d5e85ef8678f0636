// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"

#include <functional>

namespace ordeal::model_tests::rc11 {

/// A smallest program, made of `what` by leaving things out one at a time, for which `fails` still holds.
[[nodiscard]] program shrink(program what, const std::function<bool(const program&)>& fails);

}  // namespace ordeal::model_tests::rc11
