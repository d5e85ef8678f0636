// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executions a second of the engine, each search in a child process as `ordeal check` makes it.
#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/isolation.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace {

using namespace ordeal;

void search(benchmark::State& state, const char* name) {
    const auto all = scenarios();
    const auto what = std::ranges::find(all, std::string_view(name), &scenario::name);
    engine* const with = find_engine("relacy");
    if (what == all.end() || with == nullptr) {
        state.SkipWithError("no such scenario, or no such engine");
        return;
    }
    search_options how;
    how.mode = search_mode::preemptions;
    how.bound = 4;
    const search_job job{&*what, with, how};
    std::uint64_t executions = 0;
    for (auto _ : state) {
        const bool finished = run_isolated({&job, 1}, {}, {1, 0}, {}, [&](std::size_t, const search_result& result) {
            executions += result.executions;
            if (result.verdict == verdict::inconclusive) state.SkipWithError(result.message.c_str());
            return false;
        });
        if (!finished) state.SkipWithError("stopped");
    }
    state.counters["executions_per_second"] =
        benchmark::Counter(static_cast<double>(executions), benchmark::Counter::kIsRate);
}

void measure(const char* name) {
    benchmark::RegisterBenchmark((std::string("relacy/") + name).c_str(), search, name)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

// Large enough that starting a process hardly counts.
const bool measured = [] {
    measure("event/set_against_three_waiters");
    measure("shared_event/set_against_two_waiters");
    measure("shared_event/set_reset_set_against_two_awaits");
    return true;
}();

}  // namespace
