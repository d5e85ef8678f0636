// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/support/search.hpp"

#include <atomic>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

/// Outcomes as the programs print them, or the kind of a violation where the program has undefined behaviour or ends
/// badly.
using outcome_set = std::set<std::string>;

/// One litmus test: what C++20 allows, what this engine finds, and why if they differ.
struct litmus_row {
    scenario what;
    outcome_set allowed;
    outcome_set engine;
    std::string why;    ///< empty exactly where the two sets are equal
    std::string named;  ///< part of the limit that the verdict must name where the two differ
};

/// Rows that belong together.
struct litmus_table {
    std::string title;
    std::string about;  ///< how to read the outcomes
    std::vector<litmus_row> rows;
};

/// Every table, in the order of docs/litmus.md.
[[nodiscard]] std::vector<litmus_table> litmus_tables();

// One file each.
[[nodiscard]] litmus_table message_passing();
[[nodiscard]] litmus_table store_buffering();
[[nodiscard]] litmus_table coherence();
[[nodiscard]] litmus_table causality();
[[nodiscard]] litmus_table release_sequences();
[[nodiscard]] litmus_table fences();
[[nodiscard]] litmus_table compare_exchange();
[[nodiscard]] litmus_table engine_bounds();
[[nodiscard]] litmus_table waiting();
[[nodiscard]] litmus_table locks();
[[nodiscard]] litmus_table lifetimes();
[[nodiscard]] litmus_table frames();
[[nodiscard]] litmus_table surroundings();

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto acq_rel = std::memory_order_acq_rel;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

[[nodiscard]] constexpr bool acquires(std::memory_order value) noexcept { return ordeal::acquires(from_std(value)); }
[[nodiscard]] constexpr bool releases(std::memory_order value) noexcept { return ordeal::releases(from_std(value)); }
[[nodiscard]] inline std::string name_of(std::memory_order value) { return std::string(to_string(from_std(value))); }

/// A row where the engine finds exactly what C++20 allows.
template <template <class> class Scenario>
[[nodiscard]] litmus_row agrees(std::string_view name, const outcome_set& outcomes) {
    return {make_scenario<Scenario>(name), outcomes, outcomes, {}, {}};
}

/// Why the engine differs, in the words of docs/litmus.md and in those of the verdict.
struct difference {
    const char* why;
    const char* named;
};

/// A row where it does not.
template <template <class> class Scenario>
[[nodiscard]] litmus_row differs(std::string_view name, outcome_set allowed, outcome_set engine, difference reason) {
    return {make_scenario<Scenario>(name), std::move(allowed), std::move(engine), reason.why, reason.named};
}

inline constexpr auto two_threads = std::array{"first", "second"};
inline constexpr auto three_threads = std::array{"first", "second", "third"};
inline constexpr auto four_threads = std::array{"first", "second", "third", "fourth"};

/// "1,0"
template <class... More>
[[nodiscard]] std::string values(int first, More... more) {
    std::string text = std::to_string(first);
    ((text += ',', text += std::to_string(more)), ...);
    return text;
}

}  // namespace ordeal::model_tests
