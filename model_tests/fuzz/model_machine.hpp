// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/scenario.hpp"

namespace ordeal::model_tests::fuzz {

/// The current program over the policy's types, without names of threads yet.
[[nodiscard]] scenario over_the_policy();

}  // namespace ordeal::model_tests::fuzz
