// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/fuzz/program.hpp"

#include <functional>

namespace ordeal::model_tests::fuzz {

/// A smallest program of which it still holds: nothing can be left out or made simpler.
[[nodiscard]] program shrink(program what, const std::function<bool(const program&)>& holds);

}  // namespace ordeal::model_tests::fuzz
