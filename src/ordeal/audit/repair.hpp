// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

namespace ordeal::detail {

/// Looks for the fewest sites of a subject that is violated as written whose strengthening repairs it: one, else two.
/// Sets the subject's repairs and note, and the verdicts of its sites.
void find_repairs(audit_run& run, audited_subject& subject);

}  // namespace ordeal::detail
