// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// What a user asks of a report beyond that everything is as expected, and what of it does not hold.
namespace ordeal {

/// What a strict reader does not let pass: a verdict that is none, or that does not speak of every execution.
struct shortfall {
    std::string of;       ///< the subject, or the scenario
    std::string element;  ///< "task.hpp:44 ready() load acquire", "scenario task/x", ...; empty: the whole of it
    std::string why;      ///< "undecided"
};

/// What an audit says and an earlier one of the same subject did not, or the other way round.
struct baseline_difference {
    std::string subject;
    /// "subject", "scenario", "site", "order", "assignments", "assignment", "repair" or "accepted": what differs.
    std::string what;
    std::string sentence;  ///< "task.hpp:71 complete() exchange: was acq_rel, minimal; is release, undecided"
};

/// How a report compares with an earlier one.
struct baseline_comparison {
    std::string file;                              ///< as it was named
    std::vector<baseline_difference> differences;  ///< by subject; empty: as in the file
    std::size_t left_out = 0;                      ///< subjects of the file that this audit was not asked for
};

}  // namespace ordeal
