// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {

/// The program `ordeal` over the scenarios that are linked in. Returns what main should.
[[nodiscard]] int run_command_line(int argc, char** argv);

/// Ends this process as returning from main would, but calls nothing that the code on trial has left for its end:
/// destructors of globals, functions for std::atexit(). They may hang.
[[noreturn]] void end_process(int code);

}  // namespace ordeal
