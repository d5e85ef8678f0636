// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace ordeal::detail {

/// Whether this signal indicates that a person ended the process, or the system when short of memory. No fault of the
/// code on trial raises these.
[[nodiscard]] constexpr bool is_external_signal(int signal) noexcept {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

/// Sends the standard output and standard error of this process nowhere; without a null device, nothing changes.
inline void drop_output() noexcept {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    if (nowhere > STDERR_FILENO) close(nowhere);
}

}  // namespace ordeal::detail
