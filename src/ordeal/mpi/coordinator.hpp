// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/process/temporary_folder.hpp"
#include "ordeal/mpi/transport.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ordeal::mpi {

using namespace detail;

/// On rank 0: assigns the worker processes of all ranks to the program, which connects to a socket once for each
/// worker.
class coordinator {
public:
    /// A rank that is silent for `rank_timeout` is lost.
    coordinator(transport& with, std::chrono::steady_clock::duration rank_timeout);
    ~coordinator();
    coordinator(const coordinator&) = delete;
    coordinator& operator=(const coordinator&) = delete;

    /// The value for the environment of the program.
    [[nodiscard]] std::string address() const;

    void take(const message& from_host);
    /// Returns whether there was anything to do.
    bool poll();
    [[nodiscard]] bool lost_any() const noexcept { return lost_any_; }

private:
    using clock = std::chrono::steady_clock;

    struct lease {
        int rank = 0;
        int socket = -1;
        std::string to_client;  ///< not read by it yet
        bool ended = false;     ///< on the worker's side
    };

    void grant_leases();
    bool pass_on(std::uint32_t id, lease& which);
    void finish(lease& which);
    void notice_lost();
    void send_heartbeat();

    transport& transport_;
    clock::duration rank_timeout_;
    temporary_folder folder_{"/tmp", "ordeal-mpi-"};  // socket names must be short
    int listening_ = -1;
    std::map<std::uint32_t, lease> leases_;
    std::vector<bool> leased_;  ///< by rank
    std::vector<bool> lost_;    ///< by rank
    std::vector<clock::time_point> heard_;
    clock::time_point next_heartbeat_{};
    std::uint32_t next_ = 1;
    bool lost_any_ = false;
};

}  // namespace ordeal::mpi
