// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// Parts of a search that leave out executions which cannot differ from explored ones. Each can be switched off;
/// without any of them a search of code over the policy is TruSt as published (Kokologiannakis et al., POPL 2022). Code
/// without a policy that clang compiles keeps its shortened loops (compiler/clang_counted_loops.hpp). Engine graph
/// only. The argument and the source of each stand in engine/graph/reductions/; of `barriers` and `lock_elision` in
/// core/operations/, of `waiting` in docs/explanation/graph-search.md (executions that stay blocked).
struct search_reductions {
    bool retries = true;       ///< redundant retries of a read are not followed
    bool blocked = true;       ///< a graph in which a thread is permanently blocked is abandoned
    bool spinloops = true;     ///< a loop that returned to an earlier state is blocked
    bool symmetry = true;      ///< one execution for each class under permutations of interchangeable threads
    bool waiting = true;       ///< a disabled thread adds its event only once it can proceed
    bool snapshots = true;     ///< an execution resumes from a snapshot of one with the same prefix; saves time only
    bool wake_ups = true;      ///< a wait that may as well not have ended, or not have begun, is not followed
    bool barriers = true;      ///< arrivals at a barrier or a latch are explored in one order
    bool lock_elision = true;  ///< critical sections that nobody can tell apart in order are explored in one
    bool spurious_failures = true;  ///< a spurious failure that leads back to the same state is not followed

    bool operator==(const search_reductions&) const = default;
};

/// The name of a reduction.
struct reduction_name {
    std::string_view name;
    bool search_reductions::* member;
    std::string_view about;  ///< what it leaves out, for help and documents
};

/// All of them, in the order in which they are listed.
[[nodiscard]] const std::array<reduction_name, 10>& reduction_names() noexcept;

[[nodiscard]] search_reductions no_reductions() noexcept;

/// Parses "all", "none", or names separated by commas. If the first name has a minus ("-symmetry") all reductions are
/// on at first, else none; each name adds or removes one. Nothing if a name is unknown.
[[nodiscard]] std::optional<search_reductions> parse_reductions(std::string_view text);

/// "all", "none", "-symmetry" if most are on, else the names of those that are.
[[nodiscard]] std::string to_string(const search_reductions& value);

}  // namespace ordeal::detail
