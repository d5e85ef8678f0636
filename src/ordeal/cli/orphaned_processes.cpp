// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/orphaned_processes.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ordeal::detail {

namespace {

std::vector<pid_t> children() {
    std::vector<pid_t> result;
    std::error_code error;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
        std::ifstream file(thread.path() / "children");
        for (pid_t each = 0; file >> each;) result.push_back(each);
    }
    return result;
}

}  // namespace

orphaned_processes::orphaned_processes() : before_(children()) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

// The children of one that ends come here, too: until there are no more.
orphaned_processes::~orphaned_processes() {
    bool any = true;
    while (any) {
        any = false;
        for (const pid_t each : children()) {
            if (std::ranges::find(before_, each) != before_.end()) continue;
            kill(each, SIGKILL);
            pid_t ended = -1;
            while ((ended = waitpid(each, nullptr, 0)) < 0 && errno == EINTR) {
            }
            any = any || ended == each;
        }
    }
}

}  // namespace ordeal::detail
