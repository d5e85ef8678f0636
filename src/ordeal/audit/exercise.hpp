// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <span>

namespace ordeal::detail {

/// Records for each site of a subject which scenarios reach it, in which of them a value crosses threads there, and its
/// partners: from the searches of all subjects as written.
void note_exercise(audited_subject& subject, std::span<const audited_subject> subjects);

/// Records the object of each site of a subject, by replaying executions in which a value crosses threads there.
void note_objects(audit_run& run, audited_subject& subject);

}  // namespace ordeal::detail
