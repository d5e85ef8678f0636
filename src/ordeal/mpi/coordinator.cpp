// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/mpi/coordinator.hpp"

#include "ordeal/engine/process/remote_workers.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace ordeal::mpi {

using namespace detail;

namespace {

std::string framed(char what, std::string_view text) {
    const auto size = static_cast<std::uint64_t>(text.size());
    std::string whole(reinterpret_cast<const char*>(&size), sizeof(size));
    return whole.append(1, what).append(text);
}

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

coordinator::coordinator(transport& with, clock::duration rank_timeout)
    : transport_(with),
      rank_timeout_(rank_timeout),
      leased_(at(with.ranks())),
      lost_(at(with.ranks())),
      heard_(at(with.ranks()), clock::now()) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(folder_.path() + "/socket", address.sun_path);
    listening_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening_ < 0 || bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        listen(listening_, SOMAXCONN) != 0) {
        throw std::runtime_error("no socket in " + folder_.path());
    }
}

coordinator::~coordinator() {
    for (auto& [id, each] : leases_) close(each.socket);
    if (listening_ >= 0) close(listening_);
}

std::string coordinator::address() const {
    return std::to_string(transport_.ranks()) + ':' + folder_.path() + "/socket";
}

// The last ranks first, as the first one also runs the program.
void coordinator::grant_leases() {
    while (true) {
        const int socket = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) return;
        int free = transport_.ranks() - 1;
        while (free >= 0 && (leased_[at(free)] || lost_[at(free)])) --free;
        if (free < 0) {
            close(socket);
            continue;
        }
        leased_[at(free)] = true;
        const std::uint32_t id = next_++;
        leases_[id] = {.rank = free, .socket = socket, .to_client = framed(worker_message::granted, "")};
        transport_.send(free, message_kind::begin, id);
    }
}

void coordinator::take(const message& from_host) {
    heard_[at(from_host.rank)] = clock::now();
    const auto found = leases_.find(from_host.lease);
    if (found == leases_.end() || found->second.rank != from_host.rank) return;
    lease& which = found->second;
    if (from_host.kind == message_kind::from_process) which.to_client += from_host.text;
    if (from_host.kind != message_kind::ended) return;
    if (!from_host.text.empty()) which.to_client += framed(worker_message::died, from_host.text);
    which.ended = true;
}

// Returns whether data was forwarded; ends the lease if one of its ends is closed.
bool coordinator::pass_on(std::uint32_t id, lease& which) {
    bool did = false;
    while (!which.to_client.empty()) {
        const ssize_t count =
            ::send(which.socket, which.to_client.data(), which.to_client.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count <= 0) break;
        which.to_client.erase(0, static_cast<std::size_t>(count));
        did = true;
    }
    if (which.ended && which.to_client.empty()) {
        finish(which);
        return true;
    }
    std::string block(std::size_t{1} << 20U, '\0');
    const ssize_t count = recv(which.socket, block.data(), block.size(), MSG_DONTWAIT);
    if (count > 0) {
        transport_.send(which.rank, message_kind::to_process, id,
                        std::string_view(block).substr(0, static_cast<std::size_t>(count)));
        return true;
    }
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return did;
    transport_.send(which.rank, message_kind::hang_up, id);
    finish(which);
    return true;
}

void coordinator::finish(lease& which) {
    close(which.socket);
    which.socket = -1;
    leased_[at(which.rank)] = false;
}

void coordinator::notice_lost() {
    for (int rank = 1; rank < transport_.ranks(); ++rank) {
        if (lost_[at(rank)] || clock::now() - heard_[at(rank)] < rank_timeout_) continue;
        lost_[at(rank)] = true;
        lost_any_ = true;
        std::fprintf(stderr, "ordeal-mpi: rank %d is lost; the others do its work\n", rank);
        for (auto& [id, each] : leases_) {
            if (each.rank != rank || each.socket < 0) continue;
            each.to_client.clear();  // perhaps the beginning of an incomplete message
            each.ended = true;
        }
    }
}

// A silent rank is taken for lost by the others.
void coordinator::send_heartbeat() {
    constexpr std::chrono::seconds heartbeat_interval{1};
    if (clock::now() < next_heartbeat_) return;
    next_heartbeat_ = clock::now() + heartbeat_interval;
    for (int rank = 1; rank < transport_.ranks(); ++rank) {
        if (!lost_[at(rank)]) transport_.send(rank, message_kind::heartbeat, 0);
    }
}

bool coordinator::poll() {
    send_heartbeat();
    notice_lost();
    grant_leases();
    bool did = false;
    for (auto& [id, each] : leases_) did |= pass_on(id, each);
    std::erase_if(leases_, [](const auto& each) { return each.second.socket < 0; });
    return did;
}

}  // namespace ordeal::mpi
