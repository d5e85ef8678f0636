// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run of one execution consists of. Whole searches are measured with the programs of trials/.
#include "bench/measured_scenarios.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/run/fibers.hpp"
#include "ordeal/engine/process/watchdog.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

using namespace ordeal;
using namespace ordeal::detail;

using namespace ordeal::bench;

template <class OnModel>
scenario make_scenario() {
    scenario result;
    result.name = "measured";
    result.threads.assign(OnModel::threads.begin(), OnModel::threads.end());
    result.model = detail::body_of<OnModel>();
    return result;
}

const scenario& four_waiters() {
    static const scenario result =
        make_scenario<set_against_waiters<4, coro::manual_reset_event>::test<model_policy>>();
    return result;
}

// Looked up when it is run: before main not every one is registered.
const scenario& registered(std::string_view name) { return *std::ranges::find(scenarios(), name, &scenario::name); }

// One switch to a fiber and back.
void switching(benchmark::State& state) {
    graph::fibers all;
    const auto back_for_ever = [](void* context, int) {
        for (;;) static_cast<graph::fibers*>(context)->suspend();
    };
    all.start(1, back_for_ever, &all);
    for (auto _ : state) all.resume(1);
}

// Once, as in a process that searches. From then on the first write to a page of globals is noticed by a fault.
void begin_search_without_policy() {
    static const watchdog handles_faults([](const interruption& what) { std::fputs(what.message, stderr); },
                                         [steps = 0ULL]() mutable { return ++steps; }, [] {});
    static const bool begun = [] {
        instrumented().begin_search();
        return true;
    }();
    (void)begun;
}

// An execution run again as a search does for each: its construction, its threads, its end.
void run_again(benchmark::State& state, const scenario& what) {
    const search_options how;
    search_progress progress;
    if (what.instrumented) begin_search_without_policy();
    graph::explorer search(what, how, progress);
    graph::execution_graph whole;
    graph::replay_strategy again;
    search.runner().run(whole, again);
    for (auto _ : state) {
        if (search.runner().run(whole, again) != graph::ending::complete) state.SkipWithError("not complete");
    }
    state.counters["events"] = static_cast<double>(whole.size());
}

template <class Find>
void measure_run(const std::string& name, const Find& find) {
    benchmark::RegisterBenchmark(("one_run/" + name).c_str(),
                                 [find](benchmark::State& state) { run_again(state, find()); });
}

// How a run grows with the plain accesses in it.
template <int Accesses>
void measure_accesses() {
    static const scenario with_policy = make_scenario<typename plain_accesses<Accesses>::template test<model_policy>>();
    const std::string count = std::to_string(Accesses);
    measure_run("accesses:" + count, []() -> const scenario& { return with_policy; });
    measure_run("plain/accesses:" + count,
                [count]() -> const scenario& { return registered("plain/bench/accesses_" + count); });
}

const bool registered_all = [] {
    measure_accesses<10>();
    measure_accesses<100>();
    measure_accesses<1000>();
    benchmark::RegisterBenchmark("one_run/switch_and_back", switching);
    measure_run("waiters:4", four_waiters);
    measure_run("plain/waiters:4", []() -> const scenario& { return registered("plain/bench/waiters_4"); });
    return true;
}();

}  // namespace
