// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

namespace ordeal::detail {

/// Real threads behind the interface of an engine, so that isolation and reports are shared: a search is a long run
/// with seeded delays, its executions are samples. It explores nothing: without a violation the verdict is *held
/// within* what this machine happened to show. Always a random search; `bound` is the least number of samples, 0 for as
/// many as the time allows.
class thread_engine final : public engine {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "threads"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return 64; }
    [[nodiscard]] engine_features features() const noexcept override { return {.code_without_policy = true}; }
    [[nodiscard]] search_result search(const scenario& what, const search_options& how,
                                       search_progress& progress) override;
};

}  // namespace ordeal::detail
