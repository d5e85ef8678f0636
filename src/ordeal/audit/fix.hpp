// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/source/patch.hpp"
#include "ordeal/engine/limit.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal {

struct audited_subject;

/// What the source of a subject is changed to: a minimal assignment of one that holds as written, a repair of one that is
/// violated.
struct source_fix {
    std::string subject;
    bool repairs = false;     ///< the subject is violated as written
    std::size_t number = 0;   ///< of the assignment or the repair, 1: the first; 0: the first of each table
    std::size_t choices = 0;  ///< so many there are
    std::vector<site_change> changes;
    std::vector<order_override> fences{};  ///< that a repair asks for besides; a patch does not place them
    std::vector<limit>
        limits;           ///< what the searches with these orders rest on; empty: all held, all executions explored
    std::string nothing;  ///< why there is nothing to change; else empty
    source_patch patch;
    std::vector<std::string> written;  ///< the files that were written
    std::string trouble;               ///< why they were not, though it was asked for; else empty

    /// Whether what was asked for was done.
    [[nodiscard]] bool done() const noexcept { return patch.refusals.empty() && trouble.empty(); }
};

/// How many minimal assignments or repairs there are to choose from, counted as the report numbers them: through all tables of
/// the subject.
[[nodiscard]] std::size_t count_fixes(const audited_subject& subject);

/// The changes of the assignment or repair with this number, and the patch that makes them. With 0 the first: of assignments
/// the first of each table that only weakens what is written, of repairs the first without fences. A number beyond count_fixes() has nothing
/// to change.
[[nodiscard]] source_fix find_fix(const audited_subject& subject, std::size_t number,
                                  const source_reader& read = read_source);

/// Writes the files of a patch, all or none: when one of them cannot be written, those before it get back what they had.
/// Only files named relative to a source root are written. Sets `written` or `trouble`.
void write_fix(source_fix& fix);

}  // namespace ordeal
