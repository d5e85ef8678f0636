// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/mpi/transport.hpp"

#include <cstddef>
#include <cstring>
#include <set>
#include <utility>

namespace ordeal::mpi {

namespace {

constexpr std::size_t head_size = 1 + sizeof(std::uint32_t);

}  // namespace

transport::transport() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): collect_completed() and receive() wait for the completion
void transport::send(int to, message_kind kind, std::uint32_t lease, std::string_view text) {
    sent& next = in_flight_.emplace_back();
    next.content.assign(1, static_cast<char>(kind));
    next.content.append(reinterpret_cast<const char*>(&lease), sizeof(lease));
    next.content += text;
    MPI_Isend(next.content.data(), static_cast<int>(next.content.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD,
              &next.request);
    collect_completed();
}

std::optional<message> transport::receive() {
    begin_to_receive();
    std::set<int> waits_for;  // the ranks of which an earlier message has not arrived
    for (auto each = incoming_.begin(); each != incoming_.end(); ++each) {
        int done = 0;
        if (waits_for.contains(each->from)) continue;
        if (MPI_Test(&each->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done == 0) {
            waits_for.insert(each->from);
            continue;
        }
        const std::string content = std::move(each->content);
        message result;
        result.rank = each->from;
        incoming_.erase(each);
        ++messages_;
        bytes_ += content.size();
        if (content.size() < head_size) return std::nullopt;
        result.kind = static_cast<message_kind>(content[0]);
        std::memcpy(&result.lease, content.data() + 1, sizeof(result.lease));
        result.text = content.substr(head_size);
        return result;
    }
    return std::nullopt;
}

void transport::begin_to_receive() {
    int there = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || there == 0) return;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    received& next = incoming_.emplace_back();
    next.from = status.MPI_SOURCE;
    next.content.resize(static_cast<std::size_t>(size));
    MPI_Irecv(next.content.data(), size, MPI_BYTE, next.from, 0, MPI_COMM_WORLD, &next.request);
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

void transport::collect_completed() {
    std::erase_if(in_flight_, [](sent& each) {
        int done = 0;
        return MPI_Test(&each.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
    });
}

}  // namespace ordeal::mpi
