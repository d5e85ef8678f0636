// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/policy_on_trial.hpp"
#include "ordeal/scenario/registration.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario_body.hpp"
#include "ordeal/unique_name.h"
#include "ordeal/version.hpp"

#include <array>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace ordeal::detail {

template <class Outcome>
[[nodiscard]] std::string as_outcome(const Outcome& value) {
    if constexpr (std::is_convertible_v<Outcome, std::string>) {
        return value;
    } else {
        return std::to_string(value);
    }
}

template <class Scenario>
[[nodiscard]] std::string outcome_of(Scenario& object) {
    if constexpr (requires { object.outcome(); }) {
        return as_outcome(object.outcome());
    } else {
        return {};
    }
}

// A separate function, so that debug information names the type of the object, whatever the optimiser does.
template <class Scenario>
void construct_scenario(void* storage) {
    ::new (storage) Scenario;
}

template <class Scenario>
[[nodiscard]] constexpr scenario_body body_of() {
    return {
        .size = sizeof(Scenario),
        .alignment = alignof(Scenario),
        .construct = &construct_scenario<Scenario>,
        .run = [](void* object, int thread) { static_cast<Scenario*>(object)->run(thread); },
        .finish =
            [](void* object) {
                if constexpr (requires(Scenario& s) { s.finish(); }) static_cast<Scenario*>(object)->finish();
            },
        .outcome = [](void* object) { return outcome_of(*static_cast<Scenario*>(object)); },
        .destroy = [](void* object) { static_cast<Scenario*>(object)->~Scenario(); },
    };
}

// What the members of a type say of it, but for lists that few types have.
struct type_description {
    std::string_view name;
    std::string_view subject;
    std::string_view about;
    std::span<const char* const> threads;
    expectation expected = held;
    bool exhibit = false;
};

// As register_scenario() is: the linker keeps one for all objects.
inline namespace ORDEAL_VERSION_NAMESPACE {

// Once for all types, and not inline, as are the other two below: else this would be most of what is compiled in a
// source with many scenarios, all of it in one function, that of the globals.
[[nodiscard, gnu::noinline]] inline scenario as_scenario(const type_description& of) {
    scenario result{.name = std::string(of.name),
                    .subject = std::string(of.subject),
                    .about = std::string(of.about),
                    .exhibit = of.exhibit,

                    .instrumented = false,
                    .threads = {},
                    .interchangeable = {},
                    .claimed_groups = {},
                    .expected = of.expected,
                    .outcomes = {},
                    .model = {},
                    .real = {}};
    for (const auto* thread : of.threads) result.threads.emplace_back(thread);
    return result;
}

}  // namespace ORDEAL_VERSION_NAMESPACE

// The description in the type's members, without its functions.
template <class Scenario>
[[nodiscard]] scenario described(std::string_view name) {
    type_description of{.name = name,
                        .subject = name.substr(0, name.find('/')),
                        .about = {},
                        .threads = Scenario::threads,
                        .expected = held,
                        .exhibit = false};
    if constexpr (requires { Scenario::subject; }) of.subject = Scenario::subject;
    if constexpr (requires { Scenario::about; }) of.about = Scenario::about;
    if constexpr (requires { Scenario::exhibit; }) of.exhibit = Scenario::exhibit;
    if constexpr (requires { Scenario::expected; }) of.expected = Scenario::expected;
    scenario result = as_scenario(of);
    if constexpr (requires { Scenario::interchangeable; }) {
        result.interchangeable.assign(Scenario::interchangeable.begin(), Scenario::interchangeable.end());
    }
    if constexpr (requires { Scenario::outcomes; }) {
        result.outcomes.assign(Scenario::outcomes.begin(), Scenario::outcomes.end());
    }
    return result;
}

#ifdef ORDEAL_TRIAL

// finish() and a destructor run after the threads and may use what exit handlers end.
template <class Scenario>
constexpr bool is_program = std::size(Scenario::threads) == 1 && std::is_trivially_destructible_v<Scenario> &&
                            !requires(Scenario& object) { object.finish(); };

template <class Scenario>
[[nodiscard]] constexpr scenario_body body_on_trial() {
    scenario_body result = body_of<Scenario>();
    result.is_program = is_program<Scenario>;
    return result;
}

inline namespace ORDEAL_VERSION_NAMESPACE {
[[gnu::noinline]] inline void put_on_trial(scenario& what, const scenario_body& body) {
    what.instrumented = true;
    (on_real_threads ? what.real : what.model) = body;
}
}  // namespace ORDEAL_VERSION_NAMESPACE

template <class Scenario>
[[nodiscard]] scenario describe(std::string_view name) {
    static constexpr scenario_body body = body_on_trial<Scenario>();
    scenario result = described<Scenario>(name);
    put_on_trial(result, body);
    return result;
}

// The source that is registered over the policies, in the form that ships.
template <template <atomic_policy> class Scenario>
[[nodiscard]] scenario describe(std::string_view name) {
    scenario result = describe<Scenario<policy_on_trial>>(name);
    result.name.insert(0, "plain/");
    result.subject.insert(0, "plain/");
    return result;
}

#else

template <template <atomic_policy> class Scenario>
[[nodiscard]] scenario describe(std::string_view name) {
    scenario result = described<Scenario<model_policy>>(name);
    result.model = body_of<Scenario<model_policy>>();
    result.real = body_of<Scenario<jitter_policy>>();
    return result;
}

template <class Scenario>
[[nodiscard]] scenario describe(std::string_view /*name*/) {
    static_assert(sizeof(Scenario) == 0,
                  "ordeal: a scenario that is no template over a policy must be compiled by ordeal_add_trial(), "
                  "which makes its accesses visible");
    return {};
}

#endif

inline namespace ORDEAL_VERSION_NAMESPACE {
struct scenario_registrar {
    [[gnu::noinline]] scenario_registrar(scenario (*describe)(std::string_view), std::string_view name) {
        register_scenario(describe(name));
    }
};
}  // namespace ORDEAL_VERSION_NAMESPACE

}  // namespace ordeal::detail

/// Registers under `name` a class template over an atomic policy or, in code compiled by ordeal_add_trial(), any class.
#define ORDEAL_SCENARIO(name, ...) \
    ORDEAL_COUNTER_BEGIN \
    static const ::ordeal::detail::scenario_registrar ORDEAL_JOINED(ordeal_registrar_, __COUNTER__){ \
        &::ordeal::detail::describe<__VA_ARGS__>, name} ORDEAL_COUNTER_END
