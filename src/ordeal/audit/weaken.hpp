// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <span>

namespace ordeal::detail {

/// Judges every weaker order at every site of the subjects, which must have their results as written and their sites.
void weaken_sites(audit_run& run, std::span<audited_subject> subjects);

}  // namespace ordeal::detail
