// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace ordeal::model_tests::rc11 {

struct promising_options {
    bool promises = true;              ///< without them the machine has the executions of RC11
    std::size_t limit = 20'000;        ///< states met; beyond that there is no result
    std::size_t most_outstanding = 2;  ///< promises of one thread that are not fulfilled yet
};

/// The outcomes of a program with load buffering, by brute force over the states of an abstract machine: the promising semantics (Kang,
/// Hur, Lahav, Vafeiadis, Dreyer, "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017) without seq_cst and locks.
///
/// A thread may promise a write, which others can then read, if it can still make it when it runs alone from where it is; it has to make it
/// in the end. Release sequences are those of C++20. What a processor orders holds promises back, as in IMM (Podkopaev, Lahav, Vafeiadis,
/// "Bridging the Gap between Programming Languages and Hardware Weak Memory Models", POPL 2019): a thread with an outstanding promise makes
/// no fence, no release to the promise's location, and acquires nothing that is newer than the promise; nor, as on Armv8, anything by a
/// read-modify-write after a release.
[[nodiscard]] std::optional<std::set<std::string>> promising_outcomes(const program& what,
                                                                      const promising_options& how = {});

}  // namespace ordeal::model_tests::rc11
