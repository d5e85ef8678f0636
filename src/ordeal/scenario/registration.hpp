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

/// The required verdict of a scenario: *held* if `violation` is empty, else *violated* with that kind.
struct expectation {
    std::optional<violation_kind> violation;  ///< the kind; empty: *held*
    const char* words = "";                   ///< which the message of the violation has
};

inline constexpr expectation held{};
[[nodiscard]] constexpr expectation violated(violation_kind kind, const char* words = "") { return {kind, words}; }

/// One registered scenario. See docs: a class template over a policy, or in code on trial any class, with `threads`
/// (names, one to `most_threads`), `run(int)` and, optionally, `finish()`, `outcome()`, `outcomes` (an array of
/// outcome_grade), `expected`, `subject`, `about`, `exhibit`.
struct scenario {
    std::string name;                  ///< "task/abandon_against_complete"
    std::string subject;               ///< what is on trial: "task"; the part of the name before '/' by default
    std::string about;                 ///< one sentence; may be empty
    bool exhibit = false;              ///< a published design or a bug shape, not production code
    bool instrumented = false;         ///< compiled by ordeal_add_trial(): no policy; for the graph engine only
    std::vector<std::string> threads;  ///< a name for each thread
    std::vector<int> interchangeable;  ///< executions that differ by permuting these threads count as one
    /// Groups of threads taken for interchangeable until a search refutes it. By thread: the number of its group from
    /// 1, or 0.
    std::vector<int> claimed_groups;
    expectation expected;                 ///< the required verdict
    std::vector<outcome_grade> outcomes;  ///< if not empty, outcomes not listed are forbidden
    scenario_body model;                  ///< over model_policy; without a policy if `instrumented`
    scenario_body real;  ///< on real threads, over jitter_policy; empty if `instrumented`, except in a suite
};

/// Every scenario of this program, sorted by name. Duplicate and empty names are errors, which the command line
/// reports.
[[nodiscard]] std::span<const scenario> scenarios();

// Strings cross the interface. If those of the code on trial have another layout than the harness's, linking fails with
// this name.
#if defined(_LIBCPP_VERSION)
#define ORDEAL_HARNESS_WANTED a_harness_compiled_with_libcxx
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define ORDEAL_HARNESS_WANTED a_harness_compiled_with_GLIBCXX_USE_CXX11_ABI_0
#else
#define ORDEAL_HARNESS_WANTED a_harness_with_the_usual_strings
#endif

namespace detail {

// The elements of vectors; the vectors themselves have another layout in the debug mode of libstdc++, in which code on
// trial may be compiled.
struct scenario_lists {
    std::span<const std::string> threads;
    std::span<const int> interchangeable;
    std::span<const int> claimed_groups;
    std::span<const outcome_grade> outcomes;
};

inline namespace ORDEAL_HARNESS_WANTED {

// Everything else that the harness copies, because it must not keep memory of the code on trial.
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

// In a namespace of the version: in a program with objects compiled with two versions, the linker would merge them.
inline namespace ORDEAL_VERSION_NAMESPACE {

/// Adds a copy of a scenario; called before main by ORDEAL_SCENARIO. In a suite the code on trial and the same sources
/// in the form that ships register one scenario together: the former `model`, the latter `real`.
inline void register_scenario(const scenario& value) {
    ordeal_require_same_headers(("the scenario '" + value.name + "'").c_str(), ORDEAL_VERSION_STRING, ORDEAL_ABI);
    detail::register_parts({value.name, value.subject, value.about, value.exhibit, value.instrumented, value.expected,
                            value.model, value.real},
                           {value.threads, value.interchangeable, value.claimed_groups, value.outcomes});
}

}  // namespace ORDEAL_VERSION_NAMESPACE

}  // namespace ordeal
