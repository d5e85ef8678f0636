// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>

namespace ordeal::detail {

/// Whether a process that this signal ended was ended by a person, or by the system when it is short of memory. No fault of the
/// code on trial raises these.
[[nodiscard]] constexpr bool is_external_signal(int signal) noexcept {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

}  // namespace ordeal::detail

namespace ordeal {

/// From now on what this process writes to its standard output and standard error goes nowhere; where there is no such
/// device, nothing changes.
void drop_output() noexcept;

}  // namespace ordeal
