// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::model_tests::rc11 {

/// A program of the literature, an outcome that RC11 is known to allow or to forbid, and the number of its executions,
/// counted by hand.
struct classic {
    std::string name;
    program what;
    std::string outcome;
    bool allowed;
    std::uint64_t executions;
};

/// The programs about one thing.
struct classic_group {
    std::string title;
    std::vector<classic> programs;
};

[[nodiscard]] std::vector<classic_group> classics();

}  // namespace ordeal::model_tests::rc11
