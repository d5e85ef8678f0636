// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>

namespace ordeal::detail {

/// While it lives, the first SIGINT or SIGTERM is a request to stop and keep what is done; the second ends the
/// program as it would otherwise have.
class interrupt_watch {
public:
    interrupt_watch() noexcept;
    ~interrupt_watch();
    interrupt_watch(const interrupt_watch&) = delete;
    interrupt_watch& operator=(const interrupt_watch&) = delete;

    [[nodiscard]] bool interrupted() const noexcept;

private:
    struct sigaction old_interrupt_{};
    struct sigaction old_terminate_{};
};

}  // namespace ordeal::detail
