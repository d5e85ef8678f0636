// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/source/patch.hpp"
#include "ordeal/engine/limit.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal::detail {

struct audited_subject;

/// A change of a subject's source: to a minimal assignment if it holds as written, to a repair if it is violated.
struct source_fix {
    std::string subject;
    bool repairs = false;     ///< the subject is violated as written
    std::size_t number = 0;   ///< of the assignment or repair, from 1; 0: the first of each table
    std::size_t choices = 0;  ///< the number of assignments or repairs
    std::vector<site_change> changes;
    std::vector<order_override> fences{};  ///< fences that a repair also needs; a patch does not insert them
    std::vector<limit> limits;  ///< of the searches with these orders; empty: all held, all executions explored
    std::string nothing;        ///< why there is nothing to change; otherwise empty
    source_patch patch;
    std::vector<std::string> written;  ///< the files that were written
    std::string trouble;               ///< why they were not written, though requested; otherwise empty

    /// Whether the request was fulfilled.
    [[nodiscard]] bool done() const noexcept { return patch.refusals.empty() && trouble.empty(); }
};

/// The number of minimal assignments or repairs to choose from, counted as in the report: through all tables of the
/// subject.
[[nodiscard]] std::size_t count_fixes(const audited_subject& subject);

/// The changes of the assignment or repair with this number, and the patch that makes them. Number 0: of assignments,
/// the first of each table that only weakens declared orders; of repairs, the first without fences. A number beyond
/// count_fixes() has nothing to change.
[[nodiscard]] source_fix find_fix(const audited_subject& subject, std::size_t number,
                                  const source_reader& read = read_source);

/// Writes the files of a patch, all or none: if one cannot be written, those before it are restored. Only files named
/// relative to a source root are written. Sets `written` or `trouble`.
void write_fix(source_fix& fix);

}  // namespace ordeal::detail
