// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/limit.hpp"
#include "ordeal/processors/target.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Results that checks and audits have in common.
namespace ordeal::detail {

/// The cost of operations on one target: an estimate without unit, docs/reference/cost.md.
struct target_cost {
    target on = target::x86_64;
    int cost = 0;
    std::vector<std::string> instructions;  ///< of each operation; if these are equal, nothing is saved

    bool operator==(const target_cost&) const = default;
};

/// A minimal set of changes after which no scenario is violated: none can be left out or weakened.
struct repair {
    std::vector<order_override> changes;
    std::vector<limit> limits;           ///< empty: every scenario held, all executions explored
    std::vector<target_cost> written{};  ///< of the changed operations as written, by target; a new fence costs nothing
    std::vector<target_cost> costs{};    ///< the same with the changes
    std::string diff{};                  ///< unified, of the changes that can be made in the source; may be empty
};

// Demands of a user on a report, beyond everything being as expected, and where it falls short of them.

/// Something that a strict reader rejects: an undecided verdict, or one that does not cover every execution.
struct shortfall {
    std::string of;       ///< the subject, or the scenario
    std::string element;  ///< "task.hpp:44 ready() load acquire", "scenario task/x", ...; empty: the whole
    std::string why;      ///< "undecided"
};

/// A difference between an audit and an earlier one of the same subject.
struct baseline_difference {
    std::string subject;
    /// What differs: "subject", "scenario", "site", "order", "assignments", "assignment", "repair" or "accepted".
    std::string what;
    std::string sentence;  ///< "task.hpp:71 complete() exchange: was acq_rel, minimal; is release, undecided"
};

/// The comparison of a report with an earlier one.
struct baseline_comparison {
    std::string file;                              ///< as named by the user
    std::vector<baseline_difference> differences;  ///< by subject; empty: as in the file
    std::size_t left_out = 0;                      ///< subjects of the file that are not part of this audit
};

}  // namespace ordeal::detail
