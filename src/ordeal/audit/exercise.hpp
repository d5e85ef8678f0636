// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <span>

namespace ordeal::detail {

/// Says of each site of a subject which scenarios run it, in which of them it meets another thread, and whom it meets: from
/// the searches of all subjects as they are written.
void note_exercise(audited_subject& subject, std::span<const audited_subject> subjects);

}  // namespace ordeal::detail
