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

/// Sends the standard output and standard error of this process to a file, which is closed.
inline void send_output_to(int file) noexcept {
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    if (file > STDERR_FILENO) close(file);
}

/// Sends them nowhere; without a null device, nothing changes.
inline void drop_output() noexcept {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) send_output_to(nowhere);
}

}  // namespace ordeal::detail
