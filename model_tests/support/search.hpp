// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engines.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

/// Searches with the engine of this name in a process of its own, as `check` does. That costs a millisecond.
[[nodiscard]] search_result search(const scenario& what, const search_options& how = {},
                                   std::string_view with = "relacy");

/// Several searches, one process after another; results in the order of `what`.
[[nodiscard]] std::vector<search_result> search_each(std::span<const scenario* const> what, const search_options& how,
                                                     std::string_view with = "relacy");

[[nodiscard]] search_options full_search();
[[nodiscard]] search_options random_search(std::uint64_t executions, std::uint64_t seed);

/// Whether executions of RC11 may be missing. Those that only load buffering makes are none.
[[nodiscard]] bool leaves_out_of_rc11(const search_result& result);
[[nodiscard]] bool has_limit(const search_result& result, std::string_view id);
/// Whether some limit of the verdict has these words.
[[nodiscard]] bool names_limit(const search_result& result, const std::string& part);

/// The scenario registered under this name; a test fails when there is none.
[[nodiscard]] const scenario& registered(std::string_view name);

/// A scenario of these tests, which is not registered, and runs in the model alone.
template <template <class> class Scenario>
[[nodiscard]] scenario make_scenario(std::string_view name) {
    using on_model = Scenario<model_policy>;
    scenario result;
    result.name = name;
    for (const char* thread : on_model::threads) result.threads.emplace_back(thread);
    result.model = detail::body_of<on_model>();
    return result;
}

}  // namespace ordeal::model_tests
