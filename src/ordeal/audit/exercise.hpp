// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <span>

namespace ordeal::detail {

/// Says of each site of a subject which scenarios run it, in which of them it meets another thread, and whom it meets: from
/// the searches of all subjects as they are written.
void note_exercise(audited_subject& subject, std::span<const audited_subject> subjects);

/// Says of each site of a subject which object it is about, from executions in which it meets another thread: they are run again.
void note_objects(audit_run& run, audited_subject& subject);

}  // namespace ordeal::detail
