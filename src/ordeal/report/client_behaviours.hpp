// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

/// The outcomes that the specification of a client has, beside what its executions showed.
struct client_behaviours {
    std::size_t specified = 0;
    std::vector<std::string> not_shown;  ///< those that no execution had
    bool some_call_failed = false;       ///< because it may, where the specification has something else
};

/// Nothing unless the scenario is a client with a specification of few outcomes, and all of its executions were
/// explored.
[[nodiscard]] std::optional<client_behaviours> behaviours_of(const checked_scenario& checked);

}  // namespace ordeal::detail
