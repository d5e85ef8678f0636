// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/fuzz/oracle.hpp"
#include "model_tests/fuzz/program.hpp"

#include <set>
#include <string>

namespace ordeal::model_tests::fuzz {

/// What a comparison came to.
struct comparison {
    bool predicted = false;        ///< else the program is too large for the oracle
    std::set<std::string> limits;  ///< that some search named, which so may have found less
    std::string differences;       ///< a line each; empty: none
};

/// Searches the program in every way that it can be, and holds each against the oracle: any outcome or verdict that one side
/// has alone is a difference.
[[nodiscard]] comparison compare(const program& what, const oracle_options& how = {});

/// Whether it differs; of a program made smaller.
[[nodiscard]] bool differs(const program& what, const oracle_options& how = {});

}  // namespace ordeal::model_tests::fuzz
