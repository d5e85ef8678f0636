// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// A replay to be run in a debugger.
struct debugger_session {
    std::string token;
    std::vector<std::string> arguments;  ///< of the replay, beside the token
    std::uint32_t step = 0;              ///< at which it stops, by its number
    std::string file;                    ///< where that is in the source; empty: nowhere
    std::uint32_t line = 0;
    bool apart = false;                 ///< the code on trial is in a library of its own
    std::string banner;                 ///< what is said when it stops
    std::vector<std::string> commands;  ///< for gdb, which ends after them; none: a person has it
};

/// Runs gdb over this program, and returns when it has ended. Its files are gone then. Throws command_error, with
/// exit_code::no_engine, where there is no gdb.
void run_debugger(const debugger_session& session);

/// What gdb knows of the model: Python.
[[nodiscard]] std::string_view debugger_script() noexcept;

}  // namespace ordeal::detail
