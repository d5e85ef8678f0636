// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// How the results of two engines for one scenario go together.
enum class agreement : std::uint8_t {
    agree,      ///< in their verdicts; one may have produced fewer outcomes, and names the limits that hide the others
    explained,  ///< they differ, and a limit that one of them names explains it
    not_comparable,  ///< one of them has no verdict, or was not asked for all executions
    failed,          ///< they differ, and no limit explains it: one of the engines is wrong
};

[[nodiscard]] std::string_view to_string(agreement value) noexcept;  ///< "agree", "explained", ...

/// What one engine says of a scenario.
struct engine_result {
    std::string_view engine;
    const search_result& result;
};

/// Two engines on one scenario.
struct comparison {
    const scenario* what = nullptr;
    std::string first;   ///< engine
    std::string second;  ///< engine
    agreement verdict = agreement::agree;
    std::string limited;              ///< explained: the engine whose limits explain it
    std::vector<limit> explained_by;  ///< those of its limits that do
    std::string message;              ///< one line
};

/// Compares verdict by verdict, and outcome by outcome where one engine explored every execution. A difference must be
/// accounted for by a limit of an engine's model that its result names; a search cut short is no such limit.
[[nodiscard]] comparison compare(const scenario& what, const engine_result& one, const engine_result& other);

}  // namespace ordeal::detail
