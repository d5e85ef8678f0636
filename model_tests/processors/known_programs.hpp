// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"

#include "ordeal/processors/allowance.hpp"

#include <string>
#include <vector>

namespace ordeal::model_tests::rc11 {

/// A program of the literature, and which processors show an outcome of it that no interleaving has.
struct known_program {
    std::string name;
    program what;
    std::string outcome;
    detail::processors::allowances shown;  ///< x86-64, AArch64 without and with LSE, RISC-V, POWER
};

/// From the tables of "Herding Cats", of the test suites of herd, and of the papers on Armv8 and RVWMO.
[[nodiscard]] std::vector<known_program> known_programs();

}  // namespace ordeal::model_tests::rc11
