// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

#include <vector>

namespace ordeal::detail {

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
