// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/own_folder.hpp"
#include "ordeal/mpi/mail.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ordeal::mpi {

/// On rank 0: lends the processes of all ranks to the program, which connects to a socket for each that it wants.
class lender {
public:
    /// A rank of which nothing is heard for so long is lost.
    lender(mail& with, std::chrono::steady_clock::duration patience);
    ~lender();
    lender(const lender&) = delete;
    lender& operator=(const lender&) = delete;

    /// For the environment of the program.
    [[nodiscard]] std::string address() const;

    void take(const letter& from_keeper);
    /// Returns whether there was anything to do.
    bool turn();
    [[nodiscard]] bool lost_any() const noexcept { return lost_any_; }

private:
    using clock = std::chrono::steady_clock;

    struct lease {
        int rank = 0;
        int socket = -1;
        std::string to_borrower;  ///< that it has not read yet
        bool ended = false;       ///< at the other end
    };

    void lend();
    bool pass_on(std::uint32_t id, lease& which);
    void finish(lease& which);
    void notice_lost();
    void give_sign();

    mail& mail_;
    clock::duration patience_;
    own_folder folder_{"/tmp", "ordeal-mpi-"};  // a socket has a short name
    int listening_ = -1;
    std::map<std::uint32_t, lease> leases_;
    std::vector<bool> lent_;  ///< by rank
    std::vector<bool> lost_;  ///< by rank
    std::vector<clock::time_point> heard_;
    clock::time_point next_sign_{};
    std::uint32_t next_ = 1;
    bool lost_any_ = false;
};

}  // namespace ordeal::mpi
