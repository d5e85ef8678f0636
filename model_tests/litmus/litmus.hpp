// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"
#include "model_tests/support/search.hpp"

#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

/// Outcomes as the programs print them, or the kind of a violation where the program has undefined behaviour or ends
/// badly.
using outcome_set = std::set<std::string>;

[[nodiscard]] inline outcome_set with(outcome_set outcomes, const outcome_set& more) {
    outcomes.insert(more.begin(), more.end());
    return outcomes;
}
[[nodiscard]] inline outcome_set without(outcome_set outcomes, const outcome_set& missing) {
    for (const std::string& each : missing) outcomes.erase(each);
    return outcomes;
}

/// Why an engine differs from C++20, in the words of reference-data/litmus.md and in those of the verdict.
struct difference {
    const char* why;
    const char* named;  ///< part of the limit that the verdict must name; empty where it must name none
    bool held = false;  ///< the limit leaves the verdict *held*
};

/// What one engine finds.
struct engine_column {
    outcome_set outcomes;
    std::string why{};
    std::string named{};
    bool held = false;
};

/// One litmus test: what C++20 allows, what each engine finds, and why if they differ.
struct litmus_row {
    scenario what;
    outcome_set allowed;
    engine_column relacy;
    engine_column graph;  ///< what RC11 allows, but for a named bound
    std::optional<rc11::program> text{};
    std::string asked{};  ///< where there are many outcomes, the one that the test is about

    /// Relacy, or the graph engine, finds other outcomes than C++20 allows.
    [[nodiscard]] litmus_row relacy_finds(outcome_set outcomes, difference reason) && {
        relacy = {std::move(outcomes), reason.why, reason.named, reason.held};
        return std::move(*this);
    }
    [[nodiscard]] litmus_row graph_finds(outcome_set outcomes, difference reason) && {
        graph = {std::move(outcomes), reason.why, reason.named, reason.held};
        return std::move(*this);
    }
    [[nodiscard]] litmus_row relacy_lacks(const outcome_set& missing, difference reason) && {
        return std::move(*this).relacy_finds(without(allowed, missing), reason);
    }
    [[nodiscard]] litmus_row relacy_adds(const outcome_set& more, difference reason) && {
        return std::move(*this).relacy_finds(with(allowed, more), reason);
    }
    [[nodiscard]] litmus_row graph_lacks(const outcome_set& missing, difference reason) && {
        return std::move(*this).graph_finds(without(allowed, missing), reason);
    }
    [[nodiscard]] litmus_row graph_adds(const outcome_set& more, difference reason) && {
        return std::move(*this).graph_finds(with(allowed, more), reason);
    }
    /// Only this outcome is written out in reference-data/litmus.md, the others are counted.
    [[nodiscard]] litmus_row asking(std::string outcome) && {
        asked = std::move(outcome);
        return std::move(*this);
    }
};

/// Rows that belong together.
struct litmus_table {
    std::string title;
    std::string about;   ///< how to read the outcomes
    std::string source;  ///< where the programs, or what they may do, are from
    std::vector<litmus_row> rows;
};

/// Every table, in the order of reference-data/litmus.md.
[[nodiscard]] std::vector<litmus_table> litmus_tables();

// One file each.
[[nodiscard]] litmus_table message_passing();
[[nodiscard]] litmus_table store_buffering();
[[nodiscard]] litmus_table coherence();
[[nodiscard]] litmus_table atomicity();
[[nodiscard]] litmus_table java_causality();
[[nodiscard]] litmus_table two_thread_shapes();
[[nodiscard]] litmus_table three_thread_shapes();
[[nodiscard]] litmus_table four_thread_shapes();
[[nodiscard]] litmus_table seq_cst_mixtures();
[[nodiscard]] litmus_table seq_cst_fences();
[[nodiscard]] litmus_table seq_cst_through_weaker();
[[nodiscard]] litmus_table release_sequences();
[[nodiscard]] litmus_table release_chains();
[[nodiscard]] litmus_table fences();
[[nodiscard]] litmus_table compare_exchange();
[[nodiscard]] litmus_table compare_exchange_shapes();
[[nodiscard]] litmus_table spurious_failures();
[[nodiscard]] litmus_table staleness();
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

/// A row where both engines find exactly what C++20 allows, but for what is said after it.
template <template <class> class Scenario>
[[nodiscard]] litmus_row agrees(std::string_view name, const outcome_set& outcomes) {
    return {make_scenario<Scenario>(name), outcomes, {outcomes}, {outcomes}};
}

/// A row where Relacy does not.
template <template <class> class Scenario>
[[nodiscard]] litmus_row differs(std::string_view name, const outcome_set& allowed, outcome_set relacy,
                                 difference reason) {
    return agrees<Scenario>(name, allowed).relacy_finds(std::move(relacy), reason);
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
