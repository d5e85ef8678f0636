// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

namespace ordeal::model_tests::fuzz {

using namespace detail;

/// The graph engine, whose search two processes share from the first runs on: by itself it does so only where there are
/// many.
[[nodiscard]] engine& shared_search();

}  // namespace ordeal::model_tests::fuzz
