// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/scenario.hpp"

#include "ordeal/scenario/function_on_trial.hpp"
#include "ordeal/scenario/headers_version.hpp"
#include "ordeal/trial.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace ordeal {

namespace {

std::vector<scenario>& registry() {
    static std::vector<scenario> instance;
    return instance;
}

constexpr std::array<std::string_view, 3> grade_names{"acceptable", "interesting", "forbidden"};

bool is_empty(const scenario_body& body) { return body.run == nullptr; }

// Whether one of them is for the model and the other for real threads.
bool complete_each_other(const scenario& one, const detail::scenario_parts& other) {
    return one.instrumented && other.instrumented && is_empty(one.model) != is_empty(other.model) &&
           is_empty(one.real) != is_empty(other.real);
}

}  // namespace

std::string_view to_string(grade value) noexcept { return grade_names[static_cast<std::size_t>(value)]; }

void detail::register_parts(const scenario_parts& parts, const scenario_lists& lists) {
    auto& all = registry();
    const auto other = std::ranges::lower_bound(all, parts.name, {}, &scenario::name);
    if (other != all.end() && other->name == parts.name && complete_each_other(*other, parts)) {
        (is_empty(parts.model) ? other->real : other->model) = is_empty(parts.model) ? parts.real : parts.model;
        return;
    }
    const auto place = std::ranges::upper_bound(all, parts.name, {}, &scenario::name);
    all.insert(place, {.name = parts.name,
                       .subject = parts.subject,
                       .about = parts.about,
                       .exhibit = parts.exhibit,
                       .instrumented = parts.instrumented,
                       .threads = {lists.threads.begin(), lists.threads.end()},
                       .interchangeable = {lists.interchangeable.begin(), lists.interchangeable.end()},
                       .claimed_groups = {lists.claimed_groups.begin(), lists.claimed_groups.end()},
                       .expected = parts.expected,
                       .outcomes = {lists.outcomes.begin(), lists.outcomes.end()},
                       .model = parts.model,
                       .real = parts.real});
}

std::span<const scenario> scenarios() { return registry(); }

}  // namespace ordeal

extern "C" void ordeal_register_trial(const char* name, const char* trial, void (*run)(void* object, int thread)) {
    ordeal::register_scenario(ordeal::detail::function_on_trial(name, trial, &ordeal::scenario::model, run));
}

extern "C" void ordeal_register_native_trial(const char* name, const char* trial,
                                             void (*run)(void* object, int thread)) {
    ordeal::register_scenario(ordeal::detail::function_on_trial(name, trial, &ordeal::scenario::real, run));
}

extern "C" void ordeal_require_same_headers(const char* what, const char* version, int abi) noexcept {
    if (std::string_view(version) == ORDEAL_VERSION_STRING && abi == ORDEAL_ABI) return;
    std::fprintf(
        stderr,
        "ordeal: %s was compiled with the headers of ordeal %s (ABI %d), this program with those of ordeal %s (ABI "
        "%d); compile both with the same headers\n",
        what, version, abi, ORDEAL_VERSION_STRING, ORDEAL_ABI);
    std::_Exit(2);
}
