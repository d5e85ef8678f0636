// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both engines in one run, so that their figures can be set against each other: how long a whole search takes, how many
// executions a second it makes, and what a run of one execution consists of.
#include "bench/measured_scenarios.hpp"
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/graph/execution/fibers.hpp"
#include "ordeal/engine/graph/exploration/explorer.hpp"
#include "ordeal/engine/isolation.hpp"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace {

using namespace ordeal;

constexpr double budget = 30;  // seconds for a search; one that does not end in them is marked so

using namespace ordeal::bench;

template <class OnModel>
scenario make_scenario() {
    scenario result;
    result.name = "measured";
    result.threads.assign(OnModel::threads.begin(), OnModel::threads.end());
    result.model = detail::body_of<OnModel>();
    return result;
}

template <int Waiters, template <class> class Event>
scenario make_event_scenario(bool interchangeable) {
    scenario result = make_scenario<typename set_against_waiters<Waiters, Event>::template test<model_policy>>();
    for (int i = 1; interchangeable && i <= Waiters; ++i) result.interchangeable.push_back(i);
    return result;
}

template <int Waiters, template <class> class Event>
const scenario& event_scenario(bool interchangeable) {
    static const scenario whole = make_event_scenario<Waiters, Event>(false);
    static const scenario classes = make_event_scenario<Waiters, Event>(true);
    return interchangeable ? classes : whole;
}

const scenario& registered(std::string_view name) { return *std::ranges::find(scenarios(), name, &scenario::name); }

void search(benchmark::State& state, const scenario& what, std::string_view with, unsigned jobs) {
    search_job job{&what, find_engine(with), {}};
    job.how.mode = search_mode::full;
    job.how.seconds = budget;
    job.how.jobs = jobs;
    std::uint64_t executions = 0;
    bool complete = true;
    for (auto _ : state) {
        run_isolated({&job, 1}, {}, {1, 0}, {}, [&](std::size_t, const search_result& result) {
            executions = result.executions;
            complete = result.complete;
            if (result.verdict == verdict::inconclusive) state.SkipWithError(result.message.c_str());
            return false;
        });
    }
    const auto all = static_cast<double>(executions) * static_cast<double>(state.iterations());
    state.counters["executions_per_second"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
    state.counters["executions"] = static_cast<double>(executions);
    state.counters["complete"] = complete ? 1 : 0;
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    state.counters["peak_mib_so_far"] = static_cast<double>(used.ru_maxrss) / 1024;
}

// The scenario is looked up when it is run: before main not every one is registered.
template <class Find>
void measure(const std::string& name, const Find& find, std::string_view with, unsigned jobs = 1) {
    benchmark::RegisterBenchmark((std::string(with) + "/" + name).c_str(),
                                 [find, with, jobs](benchmark::State& state) { search(state, find(), with, jobs); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

// The same code as it stands, by the instrumented front end.
void measure_plain(const std::string& name, const std::string& scenario) {
    measure("plain/" + name, [scenario]() -> const ordeal::scenario& { return registered(scenario); }, "graph");
}

template <int Waiters>
void measure_waiters() {
    const std::string count = std::to_string(Waiters);
    measure_plain("event/waiters:" + count, "plain/bench/waiters_" + count);
    const auto whole = []() -> const scenario& { return event_scenario<Waiters, coro::manual_reset_event>(false); };
    const auto classes = []() -> const scenario& { return event_scenario<Waiters, coro::manual_reset_event>(true); };
    const auto shared = []() -> const scenario& { return event_scenario<Waiters, coro::awaitable_event>(false); };
    measure("event/waiters:" + count, whole, "graph");
    if (Waiters == 5) measure("event/waiters:5/jobs:2", whole, "graph", 2);
    measure("event_interchangeable/waiters:" + count, classes, "graph");
    if (Waiters <= 3) measure("event/waiters:" + count, whole, "relacy");
    if (Waiters <= 3) {
        measure("shared_event/waiters:" + count, shared, "graph");
        if (Waiters <= 2) measure("shared_event/waiters:" + count, shared, "relacy");
    }
}

// One switch to a fiber and back.
void switching(benchmark::State& state) {
    graph::fibers all;
    const auto back_for_ever = [](void* context, int) {
        for (;;) static_cast<graph::fibers*>(context)->suspend();
    };
    all.start(1, back_for_ever, &all);
    for (auto _ : state) all.resume(1);
}

// An execution run again as a search does for each: its construction, its threads, its end.
void run_again(benchmark::State& state, const scenario& what) {
    const search_options how;
    search_progress progress;
    graph::explorer search(what, how, progress);
    graph::execution_graph whole;
    graph::replay_strategy again;
    search.runs_of().run(whole, again);
    for (auto _ : state) {
        if (search.runs_of().run(whole, again) != graph::ending::complete) state.SkipWithError("not complete");
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
    measure_waiters<1>();
    measure_waiters<2>();
    measure_waiters<3>();
    measure_waiters<4>();
    measure_waiters<5>();
    measure_accesses<10>();
    measure_accesses<100>();
    measure_accesses<1000>();
    for (const char* const name : {"task/abandon_against_complete", "task/complete_against_registration"}) {
        for (const char* const with : {"graph", "relacy"}) {
            measure(name, [name]() -> const scenario& { return registered(name); }, with);
        }
    }
    benchmark::RegisterBenchmark("one_run/switch_and_back", switching);
    measure_run("waiters:4", []() -> const scenario& { return event_scenario<4, coro::manual_reset_event>(false); });
    measure_run("plain/waiters:4", []() -> const scenario& { return registered("plain/bench/waiters_4"); });
    return true;
}();

}  // namespace
