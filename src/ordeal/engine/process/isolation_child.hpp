// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/process/isolation.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace ordeal::detail {

using steady_time = std::chrono::steady_clock::time_point;

/// A child process that makes one search, as its parent sees it.
struct child_process {
    pid_t pid = -1;
    int pipe = -1;         ///< its result comes here
    bool hung_up = false;  ///< nobody holds the other end now; what comes to an end finds it again
    std::size_t job = 0;
    std::size_t slot = 0;
    steady_time began;
    std::uint64_t heartbeats = 0;  ///< search_progress::heartbeats, when it was last looked at
    steady_time newest_heartbeat;  ///< when it was first seen to be that
    std::uint64_t ended = 0;       ///< executions, when they were last looked at
    steady_time newest_end;        ///< when that was first seen to be so many
    std::string received;
    bool out_of_time = false;  ///< killed by the hard limit
    bool overdue = false;      ///< killed because it did not answer a stop
    bool endless = false;      ///< killed in an execution that went on and on beyond the hard limit
};

/// Forks a child that makes the search of `job` and writes its result to a pipe. On failure `pid` is -1 and `why`
/// says why.
[[nodiscard]] child_process start_child(const search_job& job, search_progress& progress,
                                        const isolation_options& options, std::string& why);

/// Reads what is there without blocking.
void receive(child_process& child);

/// The result of a child that ended with this wait status; whatever its end was.
[[nodiscard]] search_result result_of(const child_process& child, int status, std::uint64_t executions,
                                      const isolation_options& options);

}  // namespace ordeal::detail
