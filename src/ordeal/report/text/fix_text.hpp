// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/fix.hpp"
#include "ordeal/report/text/style.hpp"

#include <string>

namespace ordeal {

/// The changes, what was searched with them, the diff and what was written; what `patch` is given may have this around it.
[[nodiscard]] std::string fix_text(const source_fix& fix, const text_style& style);

}  // namespace ordeal
