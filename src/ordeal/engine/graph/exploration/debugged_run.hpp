// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/debug_stop.hpp"
#include "ordeal/engine/graph/run/runner.hpp"

namespace ordeal::graph {

/// While it lives, a debugger that stops a run is told of the threads of that run.
class debugged_run {
public:
    debugged_run(const scenario& what, run_parts& parts);
    ~debugged_run();
    debugged_run(const debugged_run&) = delete;
    debugged_run& operator=(const debugged_run&) = delete;

private:
    void tell() const;
    void tell(int thread_id, detail::debugged_thread& of) const;

    const scenario& what_;
    run_parts& parts_;
};

}  // namespace ordeal::graph
