// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/exploration/explorer.hpp"
#include "ordeal/engine/graph/exploration/tally.hpp"

#include <sys/types.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace ordeal::graph {

/// A process of the search ended in the middle of its work.
class worker_ended : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Processes that explore parts of one search. Each is given graphs, explores for a while, and gives back what it
/// counted and what is left.
class workers {
public:
    /// Forks `count` processes; each explores with a copy of `mine`.
    workers(explorer& mine, unsigned count);
    ~workers();
    workers(const workers&) = delete;
    workers& operator=(const workers&) = delete;

    /// Shares out what `mine` has to do until nothing is left, a violation was found or `until` is over; what is left
    /// then is in `mine` again. Throws worker_ended.
    void explore(explorer::clock::time_point until, tally& total, search_progress& progress);

private:
    struct worker {
        pid_t process = -1;
        int to = -1;
        int from = -1;
        bool busy = false;
        std::string received;
    };

    void start();
    [[noreturn]] void serve(int from, int to);
    void give_work();
    void collect(tally& total, search_progress& progress);
    [[noreturn]] static void report_end(worker& ended);

    explorer& mine_;
    std::vector<worker> all_;
};

}  // namespace ordeal::graph
