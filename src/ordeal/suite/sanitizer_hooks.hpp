// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal::detail {

/// Exit code of a suite's program when ThreadSanitizer reported something that is no verdict. ctest counts it as
/// skipped.
inline constexpr int exit_not_judged = 77;

}  // namespace ordeal::detail
