// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// A message between processes: its type and its contents.
struct message {
    char what = 0;
    std::string text;
};

/// Messages through a socket, which it owns: to another process of this machine, which may forward them to another
/// machine.
class message_channel {
public:
    explicit message_channel(int socket) noexcept : socket_(socket) {}
    ~message_channel();
    message_channel(message_channel&& other) noexcept;
    message_channel& operator=(message_channel&& other) noexcept;

    /// False if the connection has ended.
    [[nodiscard]] bool send(char what, std::string_view text);
    /// Reads what has arrived, or waits for something; false if the connection has ended.
    [[nodiscard]] bool receive();
    /// The first message that has arrived completely.
    [[nodiscard]] std::optional<message> take();
    /// The same, for which it waits; nothing if the connection has ended. Messages may arrive together: the socket has
    /// no more to read then, though one is there.
    [[nodiscard]] std::optional<message> await();
    /// Whether receive() would not block, now or within this time.
    [[nodiscard]] bool readable(std::chrono::milliseconds after = {}) const;

    [[nodiscard]] int file() const noexcept { return socket_; }

private:
    int socket_;
    std::string received_;
};

/// The two ends of a connection between processes of one search. They are out of the way of the code on trial: what an
/// execution has opened is closed after it.
[[nodiscard]] std::array<int, 2> connected_sockets();

}  // namespace ordeal::detail
