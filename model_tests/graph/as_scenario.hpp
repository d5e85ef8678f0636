// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"

#include "ordeal/scenario/scenario.hpp"

namespace ordeal::model_tests::rc11 {

/// The program as a scenario over the runtime itself, whose outcome is written as the oracle's. There is one such scenario
/// at a time: it runs the program last given, which must live as long.
[[nodiscard]] scenario as_scenario(const program& what);

}  // namespace ordeal::model_tests::rc11
