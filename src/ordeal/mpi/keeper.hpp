// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/mpi/mail.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::mpi {

/// On every rank: starts a process of the program when one is lent, and passes on what it and its borrower say.
class keeper {
public:
    keeper(mail& with, std::vector<std::string> command) : mail_(with), command_(std::move(command)) {}
    ~keeper() { stop(); }
    keeper(const keeper&) = delete;
    keeper& operator=(const keeper&) = delete;

    /// What another rank asks of it.
    void take(const letter& from_lender);
    /// What the process has said, and that this rank is there. Returns whether there was anything to do.
    bool turn();

private:
    void start(std::uint32_t lease);
    void stop();
    void pass_on_input();
    bool pass_on_output();
    void report_end();

    mail& mail_;
    std::vector<std::string> command_;
    pid_t process_ = -1;
    int socket_ = -1;
    std::uint32_t lease_ = 0;
    std::string to_process_;  ///< that it has not read yet
    std::chrono::steady_clock::time_point next_sign_{};
};

}  // namespace ordeal::mpi
