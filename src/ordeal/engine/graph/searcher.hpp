// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/trial.hpp"
#include "ordeal/engine/graph/work_stack.hpp"
#include "ordeal/engine/watchdog.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace ordeal::graph {

/// One search of the graph engine.
class searcher {
public:
    searcher(const scenario& what, const search_options& how, search_progress& progress);

    [[nodiscard]] search_result search();

private:
    using clock = std::chrono::steady_clock;

    /// An execution that is violated, and how hard it is to read.
    struct counterexample {
        execution_graph graph;
        violation_kind kind;
        std::string message;
        std::uint64_t difficulty;
    };

    void systematic();
    void random();
    void replay(const choices& wanted);
    void count(ending how);
    void keep_if_simpler();
    [[nodiscard]] bool out_of_time();
    void judge();
    void show(const counterexample& found);
    void show_run(execution_graph graph);

    const scenario& what_;
    const search_options& how_;
    search_progress& progress_;
    clock::time_point begin_;
    clock::time_point deadline_;
    trial trial_;
    watchdog watchdog_;
    work_stack work_;
    execution_graph graph_;
    std::optional<counterexample> found_;
    std::uint64_t runs_ = 0;
    bool cut_short_ = false;
    search_result result_;
};

}  // namespace ordeal::graph
