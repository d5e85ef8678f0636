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

namespace ordeal::graph {

/// A process of the search ended in the middle of its work.
class worker_ended : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Processes that explore parts of one search. Each is given graphs, and keeps what comes of them until another one has
/// nothing left: then it is asked for half of what it has.
///
/// Whatever a worker tells has three parts: what it counted since it told the last time, what it goes on with, and what it
/// gives away. So what is counted and what is left are known as of one moment, and when a worker is lost, others do what it
/// went on with, and count what it had counted since.
class workers {
public:
    /// `count` processes of this machine, or, where the environment names a place that lends processes, those of others.
    workers(explorer& mine, const scenario& what, const search_options& how);
    ~workers();
    workers(const workers&) = delete;
    workers& operator=(const workers&) = delete;

    /// Shares out what `mine` has to do until nothing is left, a violation was found or `until` is over; what is left
    /// then is in `mine` again. Throws worker_ended.
    void explore(explorer::clock::time_point until, tally& total, search_progress& progress);

    /// The other side, until nobody is there any more: explores with `mine` what is asked for.
    [[noreturn]] static void serve(explorer& mine, message_channel with);

private:
    struct worker {
        pid_t process = -1;  ///< -1: of another machine, perhaps
        message_channel channel;
        bool busy = false;
        bool asked = false;                        ///< for a share, or for all that it has
        explorer::clock::time_point not_before{};  ///< it had nothing to share
        std::string held{};                        ///< the graphs that it had when it told the last time
        std::uint64_t executions = 0;              ///< since then
    };

    void start();
    void hire();
    void share_out();
    void give(worker& to, std::string part);
    void give_work();
    void ask_for_shares();
    void ask_for_all();
    void collect(tally& total, search_progress& progress);
    void take(worker& from, const message& told, tally& total);
    void lose(worker& lost);
    void take_back();
    [[nodiscard]] bool any_busy() const;

    explorer& mine_;
    const scenario& what_;
    const search_options& how_;
    std::list<worker> all_;
    std::deque<std::string> waiting_;  ///< parts, as text
    unsigned lost_ = 0;
    explorer::clock::time_point next_hire_{};
};

}  // namespace ordeal::graph
