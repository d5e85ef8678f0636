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
enum class message_kind : char {
    begin = 'L',         ///< to a worker host: start a process for this lease
    to_process = 'B',    ///< to a worker host: what the client has written
    hang_up = 'Z',       ///< to a worker host: the client needs it no more
    from_process = 'b',  ///< from a worker host: what the process has written
    ended = 'z',         ///< from a worker host: it is no more; with words where it died
    heartbeat = 'H',     ///< from a worker host, and to one, now and then
    bye = 'Y',           ///< from a worker host: it has sent all that it had
    quit = 'Q',          ///< to a worker host: the program has ended; the lease is 1 where a rank was lost
};

[[nodiscard]] constexpr bool is_for_worker_host(message_kind what) noexcept {
    return what == message_kind::begin || what == message_kind::to_process || what == message_kind::hang_up ||
           what == message_kind::quit;
}

struct message {
    int rank = 0;  ///< from which it came
    message_kind kind = message_kind::heartbeat;
    std::uint32_t lease = 0;
    std::string text;
};

/// Sends without waiting: a rank that is lost takes nothing more, and must not stop the others.
class transport {
public:
    transport();

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int ranks() const noexcept { return ranks_; }

    void send(int to, message_kind kind, std::uint32_t lease, std::string_view text = {});
    /// The next message that has come, from anybody.
    [[nodiscard]] std::optional<message> receive();
    /// Drops what has been sent.
    void collect_completed();
    /// Whether something is still to be sent.
    [[nodiscard]] bool has_in_flight() const noexcept { return !in_flight_.empty(); }
    /// How much has come so far.
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    struct sent {
        std::string content;
        MPI_Request request;
    };

    int rank_ = 0;
    int ranks_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t bytes_ = 0;
    std::list<sent> in_flight_;
};

}  // namespace ordeal::mpi
