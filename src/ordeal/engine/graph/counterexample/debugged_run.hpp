// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/execution/debug_stop.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

namespace ordeal::detail::graph {

/// While it exists, a debugger that stops a run learns of the threads of that run.
class debugged_run {
public:
    debugged_run(const scenario& what, interpreter& interpreter);
    ~debugged_run();
    debugged_run(const debugged_run&) = delete;
    debugged_run& operator=(const debugged_run&) = delete;

private:
    void publish() const;
    void publish(int thread_id, debugged_thread& of) const;

    const scenario& what_;
    interpreter& interpreter_;
};

}  // namespace ordeal::detail::graph
