// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stress/runs.hpp"

#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/engine/threads/thread_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ordeal::stress_tests {

using namespace detail;

search_options samples(std::uint64_t count, double hang_timeout) {
    search_options how;
    how.strategy.mode = search_mode::random;
    how.strategy.bound = count;
    how.strategy.seed = seed;
    how.resources.hang_timeout = hang_timeout;
    return how;
}

std::vector<search_result> run_each(std::span<const scenario* const> what, engine& with, const search_options& how) {
    std::vector<search_job> work;
    for (const scenario* each : what) work.push_back({each, &with, how});
    std::vector<search_result> results(work.size());
    std::size_t ended = 0;
    const isolation_options options{.jobs = 1, .hard_limit = 100};  // protection only
    run_isolated(work, {}, options, {}, [&](std::size_t job, const search_result& result) {
        results[job] = result;
        ++ended;
        return false;
    });
    if (ended != work.size()) throw std::runtime_error("not every run gave a result");
    return results;
}

std::vector<search_result> run_each(std::span<const scenario* const> what, const search_options& how) {
    thread_engine threads;
    return run_each(what, threads, how);
}

const scenario& find(std::string_view name) {
    const auto all = scenarios();
    const auto found = std::ranges::find(all, name, &scenario::name);
    if (found == all.end()) throw std::runtime_error("no scenario " + std::string(name));
    return *found;
}

}  // namespace ordeal::stress_tests
