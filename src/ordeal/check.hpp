// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario_body.hpp"

#include <concepts>
#include <new>
#include <source_location>
#include <string>
#include <type_traits>

namespace ordeal {

/// How ordeal::check() searches, and what it takes for a success.
struct check_options {
    double seconds = 60;             ///< time budget; 0: none
    const char* model = "cpp20";     ///< as `--model` has it: cpp20, cpp20-letter, rc11, sc, tso
    const char* search = "auto";     ///< as `--search` has it: auto, full, preemptions=3, random=1000, pos=1000
    bool may_be_incomplete = false;  ///< a search that its budget cut short is no failure
    unsigned jobs = 1;               ///< processes that share the search
    unsigned long long seed = 0;     ///< of a search by random executions
    unsigned spurious = 2;           ///< how often a weak compare-exchange may fail spuriously, for each thread
    unsigned reuse = 2;              ///< how often freed memory may be allocated again in an execution
    const char* reductions = "all";  ///< as `--reductions` has it
    const char* memory = "";         ///< as `--memory` has it: 512M, 2G; empty: no limit
    const char* accept = "";         ///< as `--accept` has it: KIND or KIND@FILE:LINE, several with blanks between
    bool strict = false;             ///< what does not hold for every execution is a failure, as with `--strict`
    bool all_steps = false;          ///< a trace has every step, as with `--all-steps`
};

namespace detail {

// In the program, not in the code on trial.
void check_body(const scenario_body& body, const check_options& options, const std::source_location& where);

template <class Body>
struct body_on_trial {
    static inline const Body* original = nullptr;

    [[nodiscard]] static scenario_body parts() {
        return {.size = sizeof(Body),
                .alignment = alignof(Body),
                .construct = [](void* storage) { ::new (storage) Body(*original); },
                .run = [](void* object, int /*thread*/) { (*static_cast<Body*>(object))(); },
                .finish = [](void* /*object*/) {},
                .outcome = [](void* /*object*/) { return std::string(); },
                .destroy = [](void* object) { static_cast<Body*>(object)->~Body(); },
                .is_program = std::is_trivially_destructible_v<Body>};
    }
};

}  // namespace detail

/// Model-checks `body`, in a test of a framework: every execution of it is explored, and the test fails when one is
/// violated, with the conclusion that the command line prints and a line that runs this execution again.
///
/// Each execution calls a copy of `body` on a thread "main" of the model; threads that it creates are the model's.
/// Everything of the test is as it was when check() was called: what the test and its fixture have, on the stack, on
/// the heap and in globals, may be used and written, and is put back before the next execution. When check() returns,
/// nothing that an execution wrote is left. No other thread of the test may run meanwhile.
///
/// A failing assertion of the framework ends an execution as a violation, whether it is fatal or not. Only in sources
/// of ordeal_add_test_program().
template <class Body>
    requires std::copy_constructible<Body> && std::invocable<Body&>
void check(const Body& body, const check_options& options = {},
           const std::source_location& where = std::source_location::current()) {
#ifndef ORDEAL_TRIAL
    static_assert(sizeof(Body) == 0, "ordeal: check() is for sources that ordeal_add_test_program() compiles");
#endif
    detail::body_on_trial<Body>::original = &body;
    detail::check_body(detail::body_on_trial<Body>::parts(), options, where);
}

}  // namespace ordeal
