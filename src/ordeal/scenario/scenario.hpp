// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/model_policy.hpp"
#include "ordeal/model/violation.hpp"
#include "ordeal/real/jitter_policy.hpp"
#include "ordeal/scenario/outcome_grade.hpp"
#include "ordeal/scenario/require.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// The verdict a scenario must get: *held* when `violation` is empty, else *violated* with that kind.
struct expectation {
    std::optional<violation_kind> violation;
};

inline constexpr expectation held{};
[[nodiscard]] constexpr expectation violated(violation_kind kind) { return {kind}; }

/// A scenario's functions over one policy, type-erased: built for each execution, `run` called on each thread,
/// `finish` after all of them, `outcome` (values to count, may be empty) before destruction.
struct scenario_body {
    std::size_t size = 0;
    std::size_t alignment = 0;
    void (*construct)(void* storage) = nullptr;
    void (*run)(void* object, int thread) = nullptr;
    void (*finish)(void* object) = nullptr;
    std::string (*outcome)(void* object) = nullptr;
    void (*destroy)(void* object) = nullptr;
};

/// One registered scenario. See docs: a class template over a policy with `threads` (names, one to fifteen), `run(int)`
/// and, each if wanted, `finish()`, `outcome()`, `outcomes` (an array of outcome_grade), `expected`, `subject`, `about`,
/// `exhibit`.
struct scenario {
    std::string name;                  ///< "task/abandon_against_complete"
    std::string subject;               ///< what is on trial: "task"; the part of the name before '/' by default
    std::string about;                 ///< one sentence; may be empty
    bool exhibit = false;              ///< a published design or a bug shape, not production code
    std::vector<std::string> threads;  ///< a name for each
    std::vector<int> interchangeable;  ///< threads that do the same, so that executions with them exchanged are one
    expectation expected;
    std::vector<outcome_grade> outcomes;  ///< empty: every outcome is acceptable; else one not listed is forbidden
    scenario_body model;                  ///< over model_policy
    scenario_body real;                   ///< over jitter_policy, on real threads
};

/// Every scenario of this program, sorted by name. Two of one name are an error, reported by the command line.
[[nodiscard]] std::span<const scenario> scenarios();

/// Adds a scenario; called before main by ORDEAL_SCENARIO.
void register_scenario(scenario value);

namespace detail {

template <class Scenario>
[[nodiscard]] std::string outcome_of(Scenario& object) {
    if constexpr (requires { object.outcome(); }) {
        if constexpr (std::is_convertible_v<decltype(object.outcome()), std::string>) {
            return object.outcome();
        } else {
            return std::to_string(object.outcome());
        }
    } else {
        return {};
    }
}

template <class Scenario>
[[nodiscard]] constexpr scenario_body body_of() {
    return {
        .size = sizeof(Scenario),
        .alignment = alignof(Scenario),
        .construct = [](void* storage) { ::new (storage) Scenario; },
        .run = [](void* object, int thread) { static_cast<Scenario*>(object)->run(thread); },
        .finish =
            [](void* object) {
                if constexpr (requires(Scenario& s) { s.finish(); }) static_cast<Scenario*>(object)->finish();
            },
        .outcome = [](void* object) { return outcome_of(*static_cast<Scenario*>(object)); },
        .destroy = [](void* object) { static_cast<Scenario*>(object)->~Scenario(); },
    };
}

template <template <class> class Scenario>
[[nodiscard]] scenario describe(std::string_view name) {
    using on_model = Scenario<model_policy>;
    scenario result{.name = std::string(name),
                    .subject = std::string(name.substr(0, name.find('/'))),
                    .about = {},
                    .exhibit = false,
                    .threads = {},
                    .interchangeable = {},
                    .expected = held,
                    .outcomes = {},
                    .model = body_of<on_model>(),
                    .real = body_of<Scenario<jitter_policy>>()};
    for (const auto* thread : on_model::threads) result.threads.emplace_back(thread);
    if constexpr (requires { on_model::interchangeable; }) {
        result.interchangeable.assign(on_model::interchangeable.begin(), on_model::interchangeable.end());
    }
    if constexpr (requires { on_model::subject; }) result.subject = on_model::subject;
    if constexpr (requires { on_model::about; }) result.about = on_model::about;
    if constexpr (requires { on_model::exhibit; }) result.exhibit = on_model::exhibit;
    if constexpr (requires { on_model::expected; }) result.expected = on_model::expected;
    if constexpr (requires { on_model::outcomes; }) {
        result.outcomes.assign(on_model::outcomes.begin(), on_model::outcomes.end());
    }
    return result;
}

struct scenario_registrar {
    explicit scenario_registrar(scenario value) { register_scenario(std::move(value)); }
};

}  // namespace detail

}  // namespace ordeal

/// Registers the class template `Template` (over an atomic policy) under `name`.
#define ORDEAL_SCENARIO(name, Template) \
    static const ::ordeal::detail::scenario_registrar ordeal_registrar_##Template { \
        ::ordeal::detail::describe<Template>(name) \
    }
