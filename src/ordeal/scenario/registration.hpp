// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/violation.hpp"
#include "ordeal/scenario/headers_version.hpp"
#include "ordeal/scenario/outcome_grade.hpp"
#include "ordeal/scenario/scenario_body.hpp"
#include "ordeal/version.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ordeal {

/// The verdict a scenario must get: *held* when `violation` is empty, else *violated* with that kind.
struct expectation {
    std::optional<violation_kind> violation;  ///< the kind; empty: *held*
};

inline constexpr expectation held{};
[[nodiscard]] constexpr expectation violated(violation_kind kind) { return {kind}; }

/// One registered scenario. See docs: a class template over a policy, or in code on trial any class, with `threads` (names,
/// one to `most_threads`), `run(int)` and, each if wanted, `finish()`, `outcome()`, `outcomes` (an array of outcome_grade),
/// `expected`, `subject`, `about`, `exhibit`.
struct scenario {
    std::string name;                     ///< "task/abandon_against_complete"
    std::string subject;                  ///< what is on trial: "task"; the part of the name before '/' by default
    std::string about;                    ///< one sentence; may be empty
    bool exhibit = false;                 ///< a published design or a bug shape, not production code
    bool instrumented = false;            ///< compiled by ordeal_add_trial(): no policy, and for the graph engine only
    std::vector<std::string> threads;     ///< a name for each
    std::vector<int> interchangeable;     ///< threads that do the same, so that executions with them exchanged are one
    expectation expected;                 ///< the verdict that it must get
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

// In a namespace of the version: where a program has objects compiled with two, the linker would keep one for both.
inline namespace ORDEAL_VERSION_NAMESPACE {

/// Adds a copy of a scenario; called before main by ORDEAL_SCENARIO. In a suite the code on trial and the same sources as they
/// ship register one scenario together: the one `model`, the other `real`.
inline void register_scenario(const scenario& value) {
    ordeal_require_same_headers(("the scenario '" + value.name + "'").c_str(), ORDEAL_VERSION_STRING, ORDEAL_ABI);
    detail::register_parts({value.name, value.subject, value.about, value.exhibit, value.instrumented, value.expected,
                            value.model, value.real},
                           {value.threads, value.interchangeable, value.outcomes});
}

}  // namespace ORDEAL_VERSION_NAMESPACE

}  // namespace ordeal
