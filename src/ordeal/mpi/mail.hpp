// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal::mpi {

/// What ranks send each other. A lease is one use of one process of another rank.
enum class mail_kind : char {
    begin = 'L',         ///< to a keeper: start a process for this lease
    to_process = 'B',    ///< to a keeper: what the borrower has written
    hang_up = 'Z',       ///< to a keeper: the borrower needs it no more
    from_process = 'b',  ///< from a keeper: what the process has written
    ended = 'z',         ///< from a keeper: it is no more; with words where it died
    alive = 'H',         ///< from a keeper, and to one, now and then
    bye = 'Y',           ///< from a keeper: it has sent all that it had
    quit = 'Q',          ///< to a keeper: the program has ended; the lease is 1 where a rank was lost
};

[[nodiscard]] constexpr bool is_for_keeper(mail_kind what) noexcept {
    return what == mail_kind::begin || what == mail_kind::to_process || what == mail_kind::hang_up ||
           what == mail_kind::quit;
}

struct letter {
    int rank = 0;  ///< from which it came
    mail_kind kind = mail_kind::alive;
    std::uint32_t lease = 0;
    std::string text;
};

/// Sends without waiting: a rank that is lost takes nothing more, and must not stop the others.
class mail {
public:
    mail();

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int ranks() const noexcept { return ranks_; }

    void send(int to, mail_kind kind, std::uint32_t lease, std::string_view text = {});
    /// The next letter that has come, from anybody.
    [[nodiscard]] std::optional<letter> receive();
    /// Drops what has been sent.
    void tidy();
    /// Whether something is still to be sent.
    [[nodiscard]] bool sending() const noexcept { return !under_way_.empty(); }
    /// How much has come so far.
    [[nodiscard]] std::uint64_t letters() const noexcept { return letters_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    struct sent {
        std::string content;
        MPI_Request request;
    };

    int rank_ = 0;
    int ranks_ = 0;
    std::uint64_t letters_ = 0;
    std::uint64_t bytes_ = 0;
    std::list<sent> under_way_;
};

}  // namespace ordeal::mpi
