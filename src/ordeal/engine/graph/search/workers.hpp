// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/process/message_channel.hpp"

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

namespace ordeal::detail::graph {

/// A process of the search ended unexpectedly.
class worker_ended : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Processes that explore parts of one search. Each is given graphs and explores what follows from them until another
/// worker has nothing left: then it is asked for half of its graphs.
///
/// Every report of a worker has three parts: its counts since the last report, the graphs that it continues with, and
/// those that it gives away. So counts and remaining graphs are consistent with each other, and when a worker is lost,
/// others explore the graphs of its last report and repeat what it had counted since.
class workers {
public:
    /// As many processes of this machine as the options say, or those of others if the environment names a coordinator.
    workers(explorer& mine, const scenario& what, const search_options& options);
    ~workers();
    workers(const workers&) = delete;
    workers& operator=(const workers&) = delete;

    /// Distributes the graphs of `mine` until none is left, a violation was found, or `until` has passed. The remaining
    /// graphs are then in `mine` again; when its search is over, some of them. Throws worker_ended.
    void explore(explorer::clock::time_point until, tally& total, search_progress& progress);

    /// The worker's side: explores with `mine` on request until the connection ends.
    [[noreturn]] static void serve(explorer& mine, message_channel with);

private:
    struct worker {
        pid_t process = -1;  ///< -1: perhaps on another machine
        message_channel channel;
        bool busy = false;
        bool asked = false;                        ///< a share or all of its graphs were requested
        explorer::clock::time_point not_before{};  ///< it had nothing to share
        std::string held{};                        ///< its graphs at the last report
        std::uint64_t executions = 0;              ///< since then
    };

    void start();
    void hire();
    void share_out();
    void give(worker& to, std::string part);
    void give_work();
    void ask_for_shares();
    void ask_for_work();
    void collect(tally& total, search_progress& progress);
    void take(worker& from, const message& report, tally& total);
    void lose(worker& lost);
    void take_back();
    [[nodiscard]] std::string take_part();
    [[nodiscard]] bool any_waits() const;
    [[nodiscard]] bool any_busy() const;

    explorer& mine_;
    const scenario& what_;
    const search_options& options_;
    std::list<worker> all_;
    std::deque<std::string> waiting_;                 ///< parts of the search, as text
    std::deque<std::vector<execution_graph>> parts_;  ///< the same, not yet as text
    unsigned lost_ = 0;
    explorer::clock::time_point next_hire_{};
};

}  // namespace ordeal::detail::graph
