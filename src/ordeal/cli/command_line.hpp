// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {

/// The program `ordeal` over the scenarios that are linked in. Returns what main should.
[[nodiscard]] int run_command_line(int argc, char** argv);

}  // namespace ordeal
