// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of the literature: programs where the threads' accesses make a cycle with what they read and overwrite.
#pragma once

#include "model_tests/litmus/programs.hpp"

#include <vector>

namespace ordeal::model_tests {

/// One shape, all relaxed, and what each way to order it rules out.
struct shape {
    const char* name;
    rc11::program text;
    outcome_set all;                  ///< with relaxed accesses
    std::string asked;                ///< the outcome that closes the cycle; only seq_cst forbids it always
    bool ordered_forbids = false;     ///< release and acquire forbid it, too
    outcome_set also_forbidden{};     ///< outcomes of a smaller cycle within, that release and acquire forbid
    outcome_set load_buffering{};     ///< those that need it
    outcome_set against_execution{};  ///< those where modification order is not the order of execution
};

/// Five rows: relaxed, release and acquire, seq_cst; relaxed with an acq_rel or a seq_cst fence between the two accesses
/// of each thread that has two.
[[nodiscard]] std::vector<litmus_row> rows_of(const shape& what);

}  // namespace ordeal::model_tests
