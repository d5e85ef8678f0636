// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

#include <csignal>
#include <vector>

// What the program does about its own process: its addresses, signals that stop it, and processes that it leaves
// behind.
namespace ordeal::detail {

/// Starts this program anew, once, without address space randomisation: the globals of code on trial are then where
/// they were when a replay token or a checkpoint was made. Does nothing in a program without such code, and where the
/// system does not let it; what is replayed may then differ where the code goes by addresses. `always`: though no such
/// code has registered a scenario.
void disable_address_randomisation(char** argv, bool always = false) noexcept;

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

/// While it lives, a process that the code on trial has started and left behind becomes a child of this one, also where
/// it has left the group of its search. At the end such children are ended. Those that there were before stay.
class orphaned_processes {
public:
    orphaned_processes();
    ~orphaned_processes();
    orphaned_processes(const orphaned_processes&) = delete;
    orphaned_processes& operator=(const orphaned_processes&) = delete;

private:
    std::vector<pid_t> before_;
};

}  // namespace ordeal::detail
