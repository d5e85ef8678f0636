// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/process/message_channel.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// The messages between processes that share searches: message::what.
namespace worker_message {

inline constexpr char granted = 'Y';  ///< the coordinator has a process
inline constexpr char search = 'J';   ///< to a worker that was assigned: what to search
inline constexpr char work = 'W';     ///< to a worker: graphs to explore
inline constexpr char share = 'S';    ///< to a worker: give half away; from it: here it is
inline constexpr char end = 'E';      ///< to a worker: give all back
inline constexpr char idle = 'D';     ///< from a worker: nothing is left, or everything was given back
inline constexpr char counts = 'C';   ///< from a worker: executions since its last report
inline constexpr char died = 'X';     ///< from a worker's host: the worker ended during an execution, and how
inline constexpr char result = 'R';   ///< from a worker that made a whole search

}  // namespace worker_message

/// Workers started elsewhere, perhaps on other machines, that a coordinator assigns: ordeal-mpi. The environment
/// variable ORDEAL_WORKERS has their number and the address of a socket: "4:/tmp/...". Each connection is one worker;
/// the coordinator ends it when the connection ends.
namespace remote_workers {

[[nodiscard]] bool available();
[[nodiscard]] unsigned count();  ///< 0: there is no coordinator

/// A worker that shares a search, or makes a whole one; nothing if all are assigned to others.
[[nodiscard]] std::optional<message_channel> for_search(const scenario& what, const search_options& how);
[[nodiscard]] std::optional<message_channel> for_whole_search(const scenario& what, std::string_view engine,
                                                              const search_options& how);

/// What an assigned worker is to do.
struct work_order {
    std::string scenario;
    std::string engine;
    search_options how;
    bool whole = false;
};
/// Nothing if the text is invalid, or of another build of the program.
[[nodiscard]] std::optional<work_order> parse_work_order(std::string_view text);

/// In a worker that is about to share a search: the connection to the search.
[[nodiscard]] std::optional<message_channel>& client_channel();

}  // namespace remote_workers

}  // namespace ordeal::detail
