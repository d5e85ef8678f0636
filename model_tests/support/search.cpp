// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/support/search.hpp"

#include "ordeal/engine/process/isolation.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

search_result search(const scenario& what, const search_options& how, std::string_view with) {
    const scenario* const only = &what;
    return search_each({&only, 1}, how, with).front();
}

std::vector<search_result> search_each(std::span<const scenario* const> what, const search_options& how,
                                       std::string_view with) {
    engine* const chosen = find_engine(with);
    if (chosen == nullptr) throw std::runtime_error("this program has no engine \"" + std::string(with) + "\"");
    std::vector<search_job> work;
    for (const scenario* each : what) work.push_back({each, chosen, how});
    std::vector<search_result> results(work.size());
    std::size_t ended = 0;
    run_isolated(work, {}, {.jobs = 1, .hard_limit = 60}, {}, [&](std::size_t job, const search_result& result) {
        results[job] = result;
        ++ended;
        return false;
    });
    if (ended != work.size()) throw std::runtime_error("not every search gave a result");
    return results;
}

search_options full_search() {
    search_options how;
    how.strategy.mode = search_mode::full;
    return how;
}

search_options random_search(std::uint64_t executions, std::uint64_t seed) {
    search_options how;
    how.strategy.mode = search_mode::random;
    how.strategy.bound = executions;
    how.strategy.seed = seed;
    return how;
}

bool leaves_out_of_rc11(const search_result& result) {
    return std::ranges::any_of(result.limits, [](const limit& each) {
        return each.effect != limit_effect::assumes && each.id != "load-buffering";
    });
}

bool has_limit(const search_result& result, std::string_view id) {
    return std::ranges::find(result.limits, id, &limit::id) != result.limits.end();
}

bool names_limit(const search_result& result, const std::string& part) {
    return std::ranges::any_of(result.limits,
                               [&](const limit& each) { return each.sentence.find(part) != std::string::npos; });
}

const scenario& registered(std::string_view name) {
    const auto found = std::ranges::find(scenarios(), name, &scenario::name);
    if (found == scenarios().end()) throw std::runtime_error("no scenario is named " + std::string(name));
    return *found;
}

}  // namespace ordeal::model_tests
