// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal {

/// What one process tells another: what it is about, and the rest.
struct message {
    char what = 0;
    std::string text;
};

/// Messages through a socket, which it owns: to another process of this machine, behind which there may be one of another.
class message_channel {
public:
    explicit message_channel(int socket) noexcept : socket_(socket) {}
    ~message_channel();
    message_channel(message_channel&& other) noexcept;
    message_channel& operator=(message_channel&& other) noexcept;

    /// False when nobody is there any more.
    [[nodiscard]] bool send(char what, std::string_view text);
    /// Reads what is there, or waits until something is; false when nobody is there any more.
    [[nodiscard]] bool receive();
    /// The first message that has come whole.
    [[nodiscard]] std::optional<message> take();
    /// Whether receive() would not wait, now or after a while.
    [[nodiscard]] bool readable(std::chrono::milliseconds after = {}) const;

    [[nodiscard]] int file() const noexcept { return socket_; }

private:
    int socket_;
    std::string received_;
};

}  // namespace ordeal
