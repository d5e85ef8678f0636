// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal {

/// Parts of a search that leave executions out which cannot differ from one that is explored. Each can be switched off; without any
/// of them the search is plain TruSt (Kokologiannakis et al., POPL 2022). Engine graph only; each has its argument and its source in
/// engine/graph/reductions/.
struct search_reductions {
    bool retries = true;    ///< redundant retries of a read are not followed
    bool blocked = true;    ///< a graph in which a thread is permanently blocked is abandoned
    bool loops = true;      ///< a loop that has come back to an earlier state is blocked
    bool symmetry = true;   ///< one execution for each class of those that exchanging interchangeable threads makes
    bool waiting = true;    ///< an operation that has to wait adds its event when it can go on
    bool snapshots = true;  ///< an execution goes on from a snapshot of one that began alike: the same, in less time
    bool wake_ups = true;   ///< a spurious wake-up after which the thread waits again is not followed
    bool spurious_failures = true;  ///< a spurious failure that leads back to the same state is not followed

    bool operator==(const search_reductions&) const = default;
};

/// A reduction by its name.
struct reduction_name {
    std::string_view name;
    bool search_reductions::* member;
    std::string_view about;  ///< what it leaves out, as help and documents say it
};

/// All of them, in the order in which they are listed.
[[nodiscard]] const std::array<reduction_name, 8>& reduction_names() noexcept;

[[nodiscard]] search_reductions no_reductions() noexcept;

/// "all", "none", or names with commas: the first begins with none of them, or with all where it has a minus ("-symmetry"), and each
/// adds or takes away one. Nothing where a name is none.
[[nodiscard]] std::optional<search_reductions> parse_reductions(std::string_view text);

/// "all", "none", "-symmetry" where most are on, else the names that are.
[[nodiscard]] std::string to_string(const search_reductions& value);

}  // namespace ordeal
