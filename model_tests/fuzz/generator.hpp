// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/fuzz/program.hpp"

#include <cstdint>

namespace ordeal::model_tests::fuzz {

/// The random program of this seed, the same on every machine.
[[nodiscard]] program random_program(std::uint64_t seed);

}  // namespace ordeal::model_tests::fuzz
