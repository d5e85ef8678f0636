// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {

/// From now on what this process writes to its standard output and standard error goes nowhere; where there is no such
/// device, nothing changes.
void drop_output() noexcept;

}  // namespace ordeal
