// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"
#include "model_tests/graph/rc11.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace ordeal::model_tests::rc11 {

/// Every consistent execution of a program, counted.
struct census {
    std::uint64_t executions = 0;
    std::map<std::string, std::uint64_t> outcomes;
    bool deadlock = false;  ///< some execution ends with threads that wait for ever

    bool operator==(const census&) const = default;
};

struct census_options {
    axioms wanted{};
    /// Drop partial executions that are inconsistent already. Changes no result, because what remains when the last
    /// event of a consistent execution is taken away is consistent too; a test compares.
    bool prune = false;
    std::function<bool(const execution&)> also{};  ///< of a complete execution, besides the axioms
    std::size_t limit = 1'000'000;                 ///< partial executions met; beyond that there is no result
};

/// By brute force: any thread may be next, a read takes its value from any write made so far, a write goes to any place
/// in the coherence order. What is complete is judged by the axioms.
[[nodiscard]] std::optional<census> count_executions(const program& what, const census_options& how = {});

}  // namespace ordeal::model_tests::rc11
