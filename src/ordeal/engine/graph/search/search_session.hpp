// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/counterexample/shown_execution.hpp"
#include "ordeal/engine/graph/search/checkpoint.hpp"
#include "ordeal/engine/graph/search/portfolio.hpp"
#include "ordeal/engine/graph/search/size_estimate.hpp"
#include "ordeal/engine/process/watchdog.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail::graph {

/// One search of the graph engine.
class search_session {
public:
    search_session(const scenario& what, const search_options& options, search_progress& progress);

    [[nodiscard]] search_result search();

private:
    using clock = explorer::clock;

    static void interrupt(violation_kind kind, const char* message, std::uintptr_t address);
    void systematic();
    void search_all(bool goes_on_from_checkpoint);
    void begin_again();
    void add_shards();
    [[nodiscard]] bool is_shard() const noexcept { return options_.shard.count > 0; }
    void explore_small();
    void explore_alone();
    void explore_with_workers();
    void estimate();
    void explore(std::uint64_t more_runs);
    [[nodiscard]] bool goes_on() const;
    /// When the search is to interrupt the exploration.
    [[nodiscard]] clock::time_point until_pause() const;
    void pause();
    void take_what_was_tried();
    [[nodiscard]] clock::time_point next_save() const;
    void save_if_due();
    void save_checkpoint();
    void random();
    void judge();
    [[nodiscard]] bool blind() const;
    [[nodiscard]] shown_execution shown();

    const scenario& what_;
    const search_options& options_;
    search_progress& progress_;
    watchdog watchdog_;  // before the members that it lets continue after a fault
    instrumented_search_scope globals_;
    clock::time_point begin_;
    clock::time_point deadline_;
    std::optional<explorer> explorer_;
    portfolio portfolio_;
    checkpoint checkpoint_;
    clock::time_point save_next_ = clock::time_point::max();
    size_estimate size_;
    tally total_;
    bool cut_short_ = false;
    std::string division_;  ///< of a shard
    std::vector<unsigned> unfinished_shards_;
    search_result result_;
};

}  // namespace ordeal::detail::graph
