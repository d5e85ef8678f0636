// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/process/message_channel.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ordeal {

/// What the processes that share searches tell each other: message::what.
namespace worker_message {

inline constexpr char granted = 'Y';  ///< the lender has a process
inline constexpr char search = 'J';   ///< to one that was lent: what to search
inline constexpr char work = 'W';     ///< to a worker: graphs to explore
inline constexpr char share = 'S';    ///< to a worker: give half away; from it: here it is
inline constexpr char end = 'E';      ///< to a worker: give all back
inline constexpr char idle = 'D';     ///< from a worker: it has nothing left, or gives all back
inline constexpr char counts = 'C';   ///< from a worker: executions since it told the last time
inline constexpr char died = 'X';     ///< from a worker's keeper: it ended in the middle of an execution, and how
inline constexpr char result = 'R';   ///< from one that made a whole search

}  // namespace worker_message

/// Processes of this program that somebody else has started, on other machines perhaps, and lends: ordeal-mpi. The variable
/// ORDEAL_WORKERS of the environment has the number of them and the address of a socket: "4:/tmp/...". Each connection is one
/// process; the lender ends it when the connection ends.
namespace remote_workers {

[[nodiscard]] bool available();
[[nodiscard]] unsigned count();  ///< 0: nobody lends any

/// One that shares a search, or makes all of it; nothing when all are lent to others.
[[nodiscard]] std::optional<message_channel> for_search(const scenario& what, const search_options& how);
[[nodiscard]] std::optional<message_channel> for_whole_search(const scenario& what, std::string_view engine,
                                                              const search_options& how);

/// What a process that is lent is to do.
struct work_order {
    std::string scenario;
    std::string engine;
    search_options how;
    bool whole = false;
};
/// Nothing when it is none, or of another build of the program.
[[nodiscard]] std::optional<work_order> parse_work_order(std::string_view text);

/// Of a process that is lent, before it begins to share a search: with whom.
[[nodiscard]] std::optional<message_channel>& client_channel();

}  // namespace remote_workers

}  // namespace ordeal
