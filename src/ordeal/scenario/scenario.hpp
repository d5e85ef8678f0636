// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/violation.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/outcome_grade.hpp"
#include "ordeal/scenario/policy_on_trial.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario_body.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal {

/// The verdict a scenario must get: *held* when `violation` is empty, else *violated* with that kind.
struct expectation {
    std::optional<violation_kind> violation;
};

inline constexpr expectation held{};
[[nodiscard]] constexpr expectation violated(violation_kind kind) { return {kind}; }

/// One registered scenario. See docs: a class template over a policy, or in code on trial any class, with `threads` (names,
/// one to `most_threads`), `run(int)` and, each if wanted, `finish()`, `outcome()`, `outcomes` (an array of outcome_grade),
/// `expected`, `subject`, `about`, `exhibit`.
struct scenario {
    std::string name;                  ///< "task/abandon_against_complete"
    std::string subject;               ///< what is on trial: "task"; the part of the name before '/' by default
    std::string about;                 ///< one sentence; may be empty
    bool exhibit = false;              ///< a published design or a bug shape, not production code
    bool instrumented = false;         ///< compiled by ordeal_add_trial(): no policy, and for the graph engine only
    std::vector<std::string> threads;  ///< a name for each
    std::vector<int> interchangeable;  ///< threads that do the same, so that executions with them exchanged are one
    expectation expected;
    std::vector<outcome_grade> outcomes;  ///< empty: every outcome is acceptable; else one not listed is forbidden
    scenario_body model;                  ///< over model_policy; the code as it is when `instrumented`
    scenario_body real;  ///< on real threads, over jitter_policy; empty when `instrumented`, but in a suite as it ships
};

/// Every scenario of this program, sorted by name. Two of one name are an error, and so is one without a name; the command
/// line reports them.
[[nodiscard]] std::span<const scenario> scenarios();

// Strings are handed over. Where those of the code on trial are not laid out as the harness's are, the linker says so, with
// this name.
#if defined(_LIBCPP_VERSION)
#define ORDEAL_HARNESS_WANTED a_harness_compiled_with_libcxx
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define ORDEAL_HARNESS_WANTED a_harness_compiled_with_GLIBCXX_USE_CXX11_ABI_0
#else
#define ORDEAL_HARNESS_WANTED a_harness_with_the_usual_strings
#endif

namespace detail {

// What vectors hold; they themselves are others in the debug mode of libstdc++, which code on trial may be compiled in.
struct scenario_lists {
    std::span<const std::string> threads;
    std::span<const int> interchangeable;
    std::span<const outcome_grade> outcomes;
};

inline namespace ORDEAL_HARNESS_WANTED {

// All else that the harness copies, because memory of the code on trial is not its own.
struct scenario_parts {
    const std::string& name;
    const std::string& subject;
    const std::string& about;
    bool exhibit;
    bool instrumented;
    expectation expected;
    const scenario_body& model;
    const scenario_body& real;
};
void register_parts(const scenario_parts& parts, const scenario_lists& lists);

}  // namespace ORDEAL_HARNESS_WANTED

}  // namespace detail

/// Adds a copy of a scenario; called before main by ORDEAL_SCENARIO. In a suite the code on trial and the same sources as they
/// ship register one scenario together: the one `model`, the other `real`.
inline void register_scenario(const scenario& value) {
    detail::register_parts({value.name, value.subject, value.about, value.exhibit, value.instrumented, value.expected,
                            value.model, value.real},
                           {value.threads, value.interchangeable, value.outcomes});
}

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

// A function of its own: debug information has the type of the object with it, whatever the optimiser does.
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

// What the type says of itself; its functions are not in it.
template <class Scenario>
[[nodiscard]] scenario described(std::string_view name) {
    scenario result{.name = std::string(name),
                    .subject = std::string(name.substr(0, name.find('/'))),
                    .about = {},
                    .exhibit = false,

                    .instrumented = false,
                    .threads = {},
                    .interchangeable = {},
                    .expected = held,
                    .outcomes = {},
                    .model = {},
                    .real = {}};
    for (const auto* thread : Scenario::threads) result.threads.emplace_back(thread);
    if constexpr (requires { Scenario::interchangeable; }) {
        result.interchangeable.assign(Scenario::interchangeable.begin(), Scenario::interchangeable.end());
    }
    if constexpr (requires { Scenario::subject; }) result.subject = Scenario::subject;
    if constexpr (requires { Scenario::about; }) result.about = Scenario::about;
    if constexpr (requires { Scenario::exhibit; }) result.exhibit = Scenario::exhibit;
    if constexpr (requires { Scenario::expected; }) result.expected = Scenario::expected;
    if constexpr (requires { Scenario::outcomes; }) {
        result.outcomes.assign(Scenario::outcomes.begin(), Scenario::outcomes.end());
    }
    return result;
}

#ifdef ORDEAL_TRIAL

// finish() and a destructor come after what the threads did, and may use what ends at exit.
template <class Scenario>
constexpr bool is_program = std::size(Scenario::threads) == 1 && std::is_trivially_destructible_v<Scenario> &&
                            !requires(Scenario& object) { object.finish(); };

template <class Scenario>
[[nodiscard]] scenario describe(std::string_view name) {
    scenario result = described<Scenario>(name);
    result.instrumented = true;
    scenario_body& body = on_real_threads ? result.real : result.model;
    body = body_of<Scenario>();
    body.is_program = is_program<Scenario>;
    return result;
}

// The same source as the one registered over the policies, in the form that ships.
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

struct scenario_registrar {
    explicit scenario_registrar(const scenario& value) { register_scenario(value); }
};

}  // namespace detail

}  // namespace ordeal

#define ORDEAL_JOINED(left, right) left##right
#define ORDEAL_NUMBERED(prefix, number) ORDEAL_JOINED(prefix, number)

// Not the line: a macro of the user's may register several, all on one. From version 22 on clang calls the counter an
// extension.
#if defined(__clang__) && __clang_major__ >= 22
#define ORDEAL_COUNTER_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc2y-extensions\"")
#define ORDEAL_COUNTER_END _Pragma("clang diagnostic pop")
#else
#define ORDEAL_COUNTER_BEGIN
#define ORDEAL_COUNTER_END
#endif

/// Registers under `name` a class template over an atomic policy or, in code compiled by ordeal_add_trial(), any class.
#define ORDEAL_SCENARIO(name, ...) \
    ORDEAL_COUNTER_BEGIN \
    static const ::ordeal::detail::scenario_registrar ORDEAL_NUMBERED( \
        ordeal_registrar_, __COUNTER__){::ordeal::detail::describe<__VA_ARGS__>(name)} ORDEAL_COUNTER_END
