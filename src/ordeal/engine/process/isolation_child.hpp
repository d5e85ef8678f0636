// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/process/isolation.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace ordeal::detail {

using steady_time = std::chrono::steady_clock::time_point;

/// A child process that makes one search, as seen by its parent.
struct child_process {
    pid_t pid = -1;
    int pipe = -1;         ///< delivers its result
    int output = -1;       ///< a file in memory: what it has printed since the last look; -1: that is lost, or shown
    bool printed = false;  ///< something, before the last look
    bool hung_up = false;  ///< the other end is closed; the child is collected when it ends
    std::size_t job = 0;
    std::size_t slot = 0;
    steady_time began;
    std::uint64_t heartbeats = 0;  ///< search_progress::heartbeats, at the last look
    steady_time newest_heartbeat;  ///< when that value was first seen
    std::uint64_t ended = 0;       ///< executions, at the last look
    steady_time newest_end;        ///< when that value was first seen
    std::string received;
    bool out_of_time = false;  ///< killed by the hard limit
    bool overdue = false;      ///< killed because it did not answer a stop
    bool endless = false;      ///< killed in an execution that did not end, beyond the hard limit
};

/// Forks a child that makes the search of `job` and writes its result to a pipe. On failure `pid` is -1 and `why` has
/// the reason.
[[nodiscard]] child_process start_child(const search_job& job, search_progress& progress,
                                        const isolation_options& options, std::string& why);

/// Reads what has arrived, without blocking.
void receive(child_process& child);

/// Notes whether it has printed anything, and drops that.
void look_at_output(child_process& child);

/// Closes the files of a child that is over.
void close_files(const child_process& child);

/// The result of a child that ended with this wait status, whatever the reason.
[[nodiscard]] search_result result_of(const child_process& child, int status, std::uint64_t executions,
                                      const isolation_options& options);

}  // namespace ordeal::detail
