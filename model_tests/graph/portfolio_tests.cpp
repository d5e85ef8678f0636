// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The portfolio of an automatic search that cannot be finished, and how much memory a search takes.
#include "model_tests/graph/counting_up.hpp"
#include "model_tests/support/same_trace.hpp"

#include "ordeal/engine/graph/search/estimates.hpp"
#include "ordeal/engine/graph/search/portfolio_process.hpp"
#include "ordeal/engine/graph/search/portfolio_slices.hpp"
#include "ordeal/engine/graph/search/random_executions.hpp"
#include "ordeal/engine/graph/search/workers.hpp"
#include "ordeal/engine/process/memory_limit.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

using clock = graph::portfolio_process::clock;

scenario five_times_six() { return make_scenario<counting_up<5, 6>::test>("five times six"); }

search_options automatic_for(double seconds) {
    search_options how;
    how.resources.seconds = seconds;
    how.strategy.seed = 7;
    return how;
}

const limit* limit_of(const search_result& result, const std::string& id) {
    const auto found = std::ranges::find(result.limits, id, &limit::id);
    return found == result.limits.end() ? nullptr : &*found;
}

// The most that a process has had resident which makes the search, in bytes.
std::uint64_t peak_of(const scenario& what, const search_options& how) {
    const pid_t process = fork();
    if (process == 0) {
        search_progress progress;
        const search_result result = find_engine("graph")->search(what, how, progress);
        _exit(result.verdict == verdict::violated || result.executions == 0 ? 1 : 0);
    }
    int status = -1;
    rusage used{};
    while (wait4(process, &status, 0, &used) < 0 && errno == EINTR) {
    }
    REQUIRE(status == 0);
    return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

// There is one explorer at a time.
graph::slice_result all_bounds(const scenario& what) {
    graph::bounded_slices slices(what, {}, graph::bounded_slices::bound_of::preemptions);
    return slices.take(clock::time_point::max());
}

// Each thread adds to its own atomics and to one of both, with operations that may fail.
template <class P>
struct weak_additions {
    static constexpr auto threads = std::array{"adds", "adds"};
    typename P::template atomic<int> sum{0};
    int failures = 0;

    void run(int /*thread*/) {
        int seen = sum.load(std::memory_order_relaxed);
        for (int tries = 0; tries < 4; ++tries) {
            if (sum.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) return;
        }
    }
};

// Each of many atomics of its own may fail, which only its thread sees.
template <class P>
struct many_weak_additions {
    static constexpr auto threads = std::array{"adds", "adds", "adds", "adds"};
    typename P::template atomic<int> shared{0};
    std::array<typename P::template atomic<int>, 4> own{};
    std::array<int, 4> failures{};

    void run(int thread) {
        const auto self = static_cast<std::size_t>(thread);
        for (int i = 0; i < 16; ++i) {
            int seen = i;
            if (!own[self].compare_exchange_weak(seen, i + 1, std::memory_order_relaxed)) {
                own[self].store(i + 1, std::memory_order_relaxed);
                failures[self] += i;
            }
        }
        (void)shared.fetch_add(1, std::memory_order_relaxed);
    }
};

graph::slice_result all_bounds_of_spurious_failures(const scenario& what, execution_bounds own) {
    search_options how;
    how.bounds = own;
    graph::bounded_slices slices(what, how, graph::bounded_slices::bound_of::spurious_failures);
    return slices.take(clock::time_point::max());
}

std::uint64_t executions_with(const scenario& what, unsigned spurious) {
    search_options how = full_search();
    how.bounds.spurious = spurious;
    return graph_search(what, how).executions;
}

search_options bounded(unsigned preemptions) {
    search_options how;
    how.strategy.mode = search_mode::preemptions;
    how.strategy.bound = preemptions;
    return how;
}

}  // namespace

TEST_CASE("A search that cannot be finished in time says what else was tried, and was seen") {
    const search_result result = graph_search(five_times_six(), automatic_for(2));
    CAPTURE(result.limits, result.message);
    CHECK(result.verdict == verdict::held_within);
    CHECK_FALSE(result.complete);
    REQUIRE(limit_of(result, "cut-short") != nullptr);
    CHECK(limit_of(result, "cut-short")->parameters.at("pairs") == "1");
    REQUIRE(limit_of(result, "tried-pos") != nullptr);
    CHECK(limit_of(result, "tried-pos")->parameters.at("seed") == "7");
    CHECK(limit_of(result, "tried-surw") != nullptr);
    CHECK(result.seen.graphs == result.executions + result.blocked);
    CHECK(result.seen.pairs == 1);
    CHECK(result.seen.newest_pair_after > 0);
    CHECK(result.seen.newest_pair_after < result.executions);
    REQUIRE(result.portfolio_results.size() >= 2);
    CHECK(result.portfolio_results[0].mode == search_mode::pos);
    CHECK(result.portfolio_results[0].different > 0);
    CHECK(result.portfolio_results[1].mode == search_mode::surw);
}

TEST_CASE(
    "A search that cannot be finished in time says the largest bound of preemptions that it has explored, and no "
    "less") {
    const search_result result =
        graph_search(make_scenario<counting_up<2, 16>::test>("two times sixteen"), automatic_for(10));
    CAPTURE(result.limits, result.message, result.executions);
    CHECK(result.verdict == verdict::held_within);
    const portfolio_result* largest = nullptr;
    for (const portfolio_result& each : result.portfolio_results) {
        if (each.mode == search_mode::preemptions && each.complete) largest = &each;
    }
    REQUIRE(largest != nullptr);
    const auto said = std::ranges::count_if(result.limits, [](const limit& each) {
        return each.id == "tried-preemptions" && each.parameters.at("complete") == "true";
    });
    CHECK(said == 1);
    CHECK(names_limit(result,
                      "portfolio: all executions with at most " + std::to_string(largest->bound) + " preemption"));
    REQUIRE(result.portfolio_results.size() >= 3);
    CHECK(result.portfolio_results[2].mode == search_mode::preemptions);
    CHECK(result.portfolio_results[2].complete);
    CHECK(result.portfolio_results[2].executions == 2);
}

TEST_CASE("A violation that a search would come to after years is found by its portfolio, and replays") {
    for (const unsigned jobs : {1U, 2U}) {
        const scenario what = make_scenario<second_first<5, 6>::test>("second first");
        search_options how = automatic_for(4);
        how.resources.jobs = jobs;
        const search_result found = check_violated(what, violation_kind::failed_requirement, how);
        CHECK(found.limits.empty());
        CHECK(found.portfolio_results.empty() == false);
        search_options again;
        again.replay = found.replay;
        const search_result replayed = graph_search(what, again);
        CHECK(replayed.verdict == verdict::violated);
        CHECK(same_trace(replayed.trace, found.trace));
    }
}

TEST_CASE("A search that asks for one way to search, or has little time, is given no other") {
    search_options full = automatic_for(1.5);
    full.strategy.mode = search_mode::full;
    CHECK(graph_search(five_times_six(), full).portfolio_results.empty());
    CHECK(graph_search(five_times_six(), automatic_for(0.2)).portfolio_results.empty());
}

TEST_CASE("Spurious failures are explored by rising number, below the bound of the search") {
    const scenario what = make_scenario<weak_additions>("weak additions");
    const graph::slice_result result = all_bounds_of_spurious_failures(what, {.spurious = 3, .reuse = 2});
    CHECK(result.over);
    CHECK_FALSE(result.counted.search_facts.spurious_bound);
    REQUIRE(result.results.size() == 3);
    for (unsigned most = 0; most < 3; ++most) {
        CAPTURE(most);
        CHECK(result.results[most].mode == search_mode::full);
        CHECK(result.results[most].bound == most);
        CHECK(result.results[most].complete);
        CHECK(result.results[most].executions == executions_with(what, most));
    }
    CHECK(result.results[0].executions < result.results[1].executions);
}

TEST_CASE("Where nothing fails spuriously and no memory is reused, no bound of them is tried") {
    const graph::slice_result result =
        all_bounds_of_spurious_failures(make_scenario<counting_up<2, 3>::test>("two times three"), {});
    CHECK(result.over);
    CHECK(result.results.empty());
}

TEST_CASE("A search that cannot be finished says what holds without spurious failures") {
    const scenario what = make_scenario<many_weak_additions>("many weak additions");
    const search_result result = graph_search(what, automatic_for(10));
    CAPTURE(result.limits, result.message, result.executions);
    CHECK(result.verdict == verdict::held_within);
    REQUIRE(limit_of(result, "tried-spurious-failures") != nullptr);
    CHECK(limit_of(result, "tried-spurious-failures")->parameters.at("complete") == "true");
    CHECK(names_limit(result, "portfolio: all executions without spurious failures and reuse of freed memory"));
}

TEST_CASE("The bounds that are tried in slices have the executions that a search with each bound has") {
    const scenario what = make_scenario<counting_up<2, 3>::test>("two times three");
    const graph::slice_result result = all_bounds(what);
    CHECK(result.over);
    REQUIRE(result.results.size() > 3);
    for (std::size_t bound = 0; bound < result.results.size(); ++bound) {
        CAPTURE(bound);
        CHECK(result.results[bound].complete);
        CHECK(result.results[bound].bound == bound);
        const search_result alone = graph_search(what, bounded(static_cast<unsigned>(bound)));
        CHECK(result.results[bound].executions == alone.executions);
        // The last is the first that leaves nothing out.
        CHECK((alone.verdict == verdict::held) == (bound + 1 == result.results.size()));
    }
}

TEST_CASE("Bounds that are tried go on where a slice ended") {
    const scenario what = make_scenario<counting_up<3, 3>::test>("three times three");
    const auto expected = all_bounds(what).results;
    graph::bounded_slices parts(what, {}, graph::bounded_slices::bound_of::preemptions);
    graph::slice_result last;
    while (!last.over) last = parts.take(clock::now() + std::chrono::milliseconds(3));
    REQUIRE(last.results.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(last.results[i].executions == expected[i].executions);
}

TEST_CASE("A violation within a bound ends the bounds, which are not said to be complete") {
    const graph::slice_result result = all_bounds(make_scenario<second_first<3, 2>::test>("second first"));
    CHECK(result.over);
    REQUIRE(result.counted.found.has_value());
    CHECK(result.results.size() == 1);
    CHECK_FALSE(result.results.back().complete);
}

TEST_CASE("A slice of random executions makes one of each kind at least, and is read as it was written") {
    const scenario what = three_times_four();
    search_options how;
    how.strategy.seed = 2;
    graph::sampling_slices slices(what, how);
    CHECK(slices.take(clock::now() + std::chrono::hours(1)).expected > 0);
    const graph::slice_result made = slices.take(clock::now());
    const auto read = graph::parse_slice(graph::serialise(made));
    REQUIRE(read.has_value());
    REQUIRE(read->results.size() == 2);
    CHECK(read->results[0].mode == search_mode::pos);
    CHECK(read->results[1].mode == search_mode::surw);
    CHECK(read->results[1].seed == 2);
    CHECK(read->results[0].executions >= 1);
    CHECK(read->counted.executions == read->results[0].executions + read->results[1].executions);
    CHECK_FALSE(read->over);
    CHECK_FALSE(graph::parse_slice("{}").has_value());
}

TEST_CASE("A process that tries something answers each slice, and is missed when it ends itself") {
    int slices = 0;
    graph::portfolio_process counts([&](clock::time_point) { return std::to_string(++slices); });
    for (const char* expected : {"1", "2"}) {
        counts.begin_slice(clock::now());
        CHECK(counts.busy());
        CHECK(counts.answer(clock::time_point::max()) == expected);
        CHECK_FALSE(counts.busy());
    }
    CHECK(slices == 0);  // it was another process's

    graph::portfolio_process ends([](clock::time_point) -> std::string { _exit(3); });
    ends.begin_slice(clock::now());
    CHECK_THROWS_AS(ends.answer(clock::time_point::max()), graph::worker_ended);

    graph::portfolio_process killed([](clock::time_point) -> std::string {
        (void)raise(SIGKILL);
        return {};
    });
    killed.begin_slice(clock::now());
    CHECK_FALSE(killed.answer(clock::time_point::max()).has_value());
    CHECK(killed.gone());
}

TEST_CASE("Executions that differ are counted, in whatever order their events came") {
    const scenario what = make_scenario<counting_up<3, 2>::test>("three times two");
    constexpr std::uint64_t all = 90;  // 6! / (2! 2! 2!)
    search_progress progress;
    graph::explorer explorer(what, {}, progress);
    graph::random_runs runs(explorer.runner(), {.mode = search_mode::random, .seed = 1},
                            graph::sampler::clock::time_point::max());
    graph::distinct_graphs seen;
    graph::tally counted;
    while (counted.executions < 20 * all) {
        runs.run_one(counted);
        seen.add(runs.graph());
    }
    CHECK(seen.count() == all);
}

TEST_CASE("A search takes no more memory for ten times the executions") {
    constexpr std::uint64_t slack = std::uint64_t{2} << 20;
    const auto whole = [](const scenario& what) { return peak_of(what, full_search()); };
    CHECK(whole(three_times_four()) < whole(make_scenario<counting_up<3, 3>::test>("three times three")) + slack);
    const auto sampled = [](std::uint64_t executions) {
        return peak_of(five_times_six(), random_search(executions, 1));
    };
    CHECK(sampled(10'000) < sampled(1'000) + slack);
}

TEST_CASE("A search that comes to its limit of memory says so, and goes on from its checkpoint") {
    const std::string file = std::filesystem::temp_directory_path() / ("ordeal-memory-" + std::to_string(getpid()));
    search_options how = full_search();
    how.checkpoint.file = file;
    how.resources.memory = 1 << 16;  // less than a process begins with
    const search_result cut = graph_search(three_times_four(), how);
    CHECK(cut.verdict == verdict::held_within);
    CHECK_FALSE(cut.complete);
    CHECK(cut.executions > 0);
    CHECK(cut.executions < interleavings_of_three_times_four);
    CHECK(limit_of(cut, "cut-short") != nullptr);
    REQUIRE(limit_of(cut, "memory") != nullptr);
    how.resources.memory = 0;
    const search_result rest = graph_search(three_times_four(), how);
    CHECK(rest.verdict == verdict::held);
    CHECK(rest.executions == interleavings_of_three_times_four);
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("Every way to search keeps within its memory") {
    search_options how = automatic_for(0);
    how.resources.memory = 1 << 16;
    for (const unsigned jobs : {1U, 2U}) {
        how.resources.jobs = jobs;
        const search_result result = graph_search(five_times_six(), how);
        CHECK(result.verdict == verdict::held_within);
        CHECK(limit_of(result, "memory") != nullptr);
    }
    search_options random = random_search(1'000'000, 1);
    random.resources.memory = 1 << 16;
    const search_result sampled = graph_search(five_times_six(), random);
    CHECK(limit_of(sampled, "memory") != nullptr);
    CHECK(sampled.executions < 1'000'000);
}

TEST_CASE("Memory for copies of runs is within the limit, and shared out") {
    const std::uint64_t now = memory_of_this_process();
    CHECK(now > 0);
    begin_memory_limit(now + (std::uint64_t{1} << 30), 1);
    CHECK(memory_for_snapshots() < std::uint64_t{520} << 20);
    CHECK(memory_for_snapshots() > std::uint64_t{400} << 20);
    CHECK_FALSE(beyond_memory_limit());
    begin_memory_limit(std::uint64_t{1} << 16, 4);
    CHECK(memory_for_snapshots() == 0);
    CHECK(beyond_memory_limit());
    begin_memory_limit(0, 2);
    CHECK(memory_for_snapshots() == std::uint64_t{128} << 20);
    CHECK_FALSE(beyond_memory_limit());
}

}  // namespace ordeal::model_tests
