// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/mpi/transport.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::mpi {

/// On every rank: starts a process of the program for each lease, and forwards data between it and its client.
class worker_host {
public:
    worker_host(transport& with, std::vector<std::string> command) : transport_(with), command_(std::move(command)) {}
    ~worker_host() { stop(); }
    worker_host(const worker_host&) = delete;
    worker_host& operator=(const worker_host&) = delete;

    /// Handles a message of the coordinator.
    void take(const message& from_coordinator);
    /// Forwards output of the process and sends heartbeats. Returns whether there was anything to do.
    bool poll();

private:
    void start(std::uint32_t lease);
    void stop();
    void pass_on_input();
    bool pass_on_output();
    void report_end();

    transport& transport_;
    std::vector<std::string> command_;
    pid_t process_ = -1;
    int socket_ = -1;
    std::uint32_t lease_ = 0;
    std::string to_process_;  ///< not read by it yet
    std::chrono::steady_clock::time_point next_heartbeat_{};
};

}  // namespace ordeal::mpi
