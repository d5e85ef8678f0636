// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/message_channel.hpp"

#include "ordeal/runtime/execution.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

namespace ordeal::detail {

namespace {

// Each message is preceded by its size in bytes and its type.
constexpr std::size_t head_size = sizeof(std::uint64_t) + 1;

}  // namespace

message_channel::~message_channel() {
    if (socket_ >= 0) close(socket_);
}

message_channel::message_channel(message_channel&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}

message_channel& message_channel::operator=(message_channel&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(received_, other.received_);
    return *this;
}

bool message_channel::send(char what, std::string_view text) {
    const auto size = static_cast<std::uint64_t>(text.size());
    std::string whole(reinterpret_cast<const char*>(&size), sizeof(size));
    whole += what;
    whole += text;
    for (std::size_t done = 0; done < whole.size();) {
        const ssize_t count = ::send(socket_, whole.data() + done, whole.size() - done, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

bool message_channel::receive() {
    char block[1 << 16];
    ssize_t count = -1;
    do {
        count = read(socket_, block, sizeof(block));
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return false;
    received_.append(block, static_cast<std::size_t>(count));
    return true;
}

std::optional<message> message_channel::take() {
    std::uint64_t size = 0;
    if (received_.size() < head_size) return std::nullopt;
    std::memcpy(&size, received_.data(), sizeof(size));
    if (received_.size() - head_size < size) return std::nullopt;
    message result{received_[sizeof(size)], received_.substr(head_size, size)};
    received_.erase(0, head_size + size);
    return result;
}

std::optional<message> message_channel::await() {
    auto result = take();
    while (!result && receive()) result = take();
    return result;
}

bool message_channel::readable(std::chrono::milliseconds after) const {
    pollfd wait{socket_, POLLIN, 0};
    return poll(&wait, 1, static_cast<int>(after.count())) > 0;
}

std::array<int, 2> connected_sockets() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::system_error(errno, std::generic_category(), "no socket for another process of a search");
    for (int& each : ends) {
        const int moved = fcntl(each, F_DUPFD_CLOEXEC, first_descriptor_of_harness);
        const int error = errno;
        close(each);
        each = moved;
        errno = error;
    }
    if (ends[0] < 0 || ends[1] < 0)
        throw std::system_error(errno, std::generic_category(), "no descriptor for another process of a search");
    return ends;
}

}  // namespace ordeal::detail
