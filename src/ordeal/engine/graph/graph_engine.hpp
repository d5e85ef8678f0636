// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/search/checkpoint.hpp"
#include "ordeal/engine/graph/search/search_session.hpp"
#include "ordeal/engine/search_report.hpp"

#include <utility>

namespace ordeal::detail {

/// Our own engine: explores the executions that the memory model allows, none of them twice; its reductions leave out
/// those that cannot differ. First come those of RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential
/// Consistency in C/C++11", PLDI 2017; release sequences as in C++20), then those with load buffering. After all of
/// them the verdict is *held*.
class graph_engine final : public engine {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "graph"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return most_threads; }
    [[nodiscard]] engine_features features() const noexcept override {
        return {.code_without_policy = true,
                .spurious_failures = true,
                .reuse = true,
                .length = true,
                .timeouts = true,
                .acceptances = true,
                .samplers = true,
                .reductions = true,
                .memory_models = true,
                .checkpoints = true,
                .shards = true,
                .examples = true,
                .used_orders = true,
                .memory_limit = true};
    }
    void require_own_checkpoint(const scenario& what, const search_options& options) const override {
        (void)graph::checkpoint(what, options).load();
    }
    [[nodiscard]] search_result search(const scenario& what, const search_options& options,
                                       search_progress& progress) override {
        if (auto refused = begin_search(*this, what, options)) return std::move(*refused);
        return graph::search_graphs(what, options, progress);
    }
};

}  // namespace ordeal::detail
