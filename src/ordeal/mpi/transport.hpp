// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal::mpi {

/// The messages between ranks. A lease is one use of one worker process of another rank.
enum class message_kind : char {
    begin = 'L',         ///< to a worker host: start a process for this lease
    to_process = 'B',    ///< to a worker host: data that the client has written
    hang_up = 'Z',       ///< to a worker host: the client has disconnected
    from_process = 'b',  ///< from a worker host: data that the process has written
    ended = 'z',         ///< from a worker host: the process has ended; with words if it died
    heartbeat = 'H',     ///< from and to a worker host, from time to time
    bye = 'Y',           ///< from a worker host: everything was sent
    quit = 'Q',          ///< to a worker host: the program has ended; the lease is 1 if a rank was lost
};

[[nodiscard]] constexpr bool is_for_worker_host(message_kind what) noexcept {
    return what == message_kind::begin || what == message_kind::to_process || what == message_kind::hang_up ||
           what == message_kind::quit;
}

struct message {
    int rank = 0;  ///< the sender
    message_kind kind = message_kind::heartbeat;
    std::uint32_t lease = 0;
    std::string text;
};

/// Sends and receives without blocking: a rank that is lost, perhaps in the middle of a message, must not block the
/// others.
class transport {
public:
    transport();

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int ranks() const noexcept { return ranks_; }

    void send(int to, message_kind kind, std::uint32_t lease, std::string_view text = {});
    /// The next message that has arrived whole, from any rank; those of one rank in the order in which it sent them.
    [[nodiscard]] std::optional<message> receive();
    /// Releases messages whose sending has completed.
    void collect_completed();
    /// Whether some sending has not completed.
    [[nodiscard]] bool has_in_flight() const noexcept { return !in_flight_.empty(); }
    /// How much was received so far.
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    struct sent {
        std::string content;
        MPI_Request request;
    };
    struct received {
        int from = 0;
        std::string content;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    void begin_to_receive();

    int rank_ = 0;
    int ranks_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t bytes_ = 0;
    std::list<sent> in_flight_;
    std::list<received> incoming_;
};

}  // namespace ordeal::mpi
