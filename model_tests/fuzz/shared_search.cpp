// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/shared_search.hpp"

#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/search/workers.hpp"
#include "ordeal/engine/process/watchdog.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <cstdint>
#include <utility>

namespace ordeal::model_tests::fuzz {

using namespace detail;

namespace {

using graph::explorer;

constexpr std::uint64_t runs_alone = 3;

class two_processes final : public engine {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "graph, shared"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return find_engine("graph")->max_threads(); }
    [[nodiscard]] search_result search(const scenario& what, const search_options& how,
                                       search_progress& progress) override {
        // Writes to globals are faults, which it hands to who keeps these.
        const watchdog guard([](const interruption&) {}, [] { return 0; }, [] {});
        const instrumented_search_scope globals(what.instrumented);
        search_options by_two = how;
        by_two.resources.jobs = 2;
        graph::tally total = explored(what, by_two, progress);
        while (!total.found && (total.search_facts.order_of_arrivals || total.search_facts.order_of_sections)) {
            by_two.reductions.barriers &= !total.search_facts.order_of_arrivals;
            by_two.reductions.lock_elision &= !total.search_facts.order_of_sections;
            total = explored(what, by_two, progress);
        }
        return result_of(total);
    }

private:
    static graph::tally explored(const scenario& what, const search_options& how, search_progress& progress) {
        explorer mine(what, how, progress);
        mine.work().emit({});
        mine.explore(runs_alone, explorer::clock::time_point::max());
        graph::tally total = mine.take_tally();
        if (!mine.done() && !total.found) {
            graph::workers(mine, what, how).explore(explorer::clock::time_point::max(), total, progress);
        }
        while (!total.future_read_graphs.empty() && !total.decides()) {
            mine.explore_future_reads(std::exchange(total.future_read_graphs, {}));
            mine.explore(~std::uint64_t{0} >> 1, explorer::clock::time_point::max());
            total.add(mine.take_tally());
        }
        return total;
    }

    static search_result result_of(const graph::tally& total) {
        search_result result;
        result.executions = total.executions;
        result.outcomes = total.outcomes;
        result.complete = true;
        result.verdict = total.found ? verdict::violated : verdict::held;
        if (total.found) {
            result.kind = total.found->kind;
            result.message = total.found->message;
        }
        if (!total.search_facts.refused.empty()) {
            result.verdict = verdict::inconclusive;
            result.message = total.search_facts.refused;
        } else if (!total.found) {
            for (const graph::exploration_bound& each : graph::exploration_bounds()) {
                if (total.search_facts.*each.reached) result.limits.emplace_back(each.id, "", each.effect);
            }
            if (std::ranges::find(total.search_facts.lb_patterns, false, &graph::lb_site_names::only_by_letter) !=
                total.search_facts.lb_patterns.end()) {
                result.limits.emplace_back("load-buffering", "", limit_effect::hides);
            }
            if (leave_anything_out(result.limits)) result.verdict = verdict::held_within;
            if (result.executions == 0) result.verdict = verdict::inconclusive;
        }
        return result;
    }
};

}  // namespace

engine& shared_search() {
    static two_processes only;
    return only;
}

}  // namespace ordeal::model_tests::fuzz
