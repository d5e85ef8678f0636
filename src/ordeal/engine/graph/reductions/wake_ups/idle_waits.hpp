// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spurious wake-ups after which the thread waits again.
//
// What is left out: a wait on a condition variable or a futex that ends without a notification, after which the thread
// begins the same wait in the same state. The thread is blocked in that wait.
//
// Why nothing is lost: the wait may as well not have ended. What other threads do meanwhile, they also do in the
// executions in which it did not; those in which the thread finds something else are those in which one of its reads
// has another rf. What it wrote since the wake-up is undone (undone_writes), and if others have seen it halfway, the
// thread goes on. No notification has ended a wait in between: it would have gone to another thread. A wake-up whose
// thread has only taken the mutex as it had left it comes back here in every graph: the wake-up is taken back, and
// noted in the event, so that the thread wakes up after the next write to the mutex.
//
// Source: [thread.condition.condvar] allows spurious wake-ups; the argument is that of reductions/loops for one
// iteration of a wait.
#pragma once

#include "ordeal/engine/graph/core/reduction.hpp"

namespace ordeal::detail::graph {

class idle_waits final : public reduction {
public:
    explicit idle_waits(const reduction_context& of)
        : options_(of.options),
          run_(of.run),
          run_end_(of.run_end),
          thread_fingerprints_(of.thread_fingerprints),
          findings_(of.findings) {}

    void begin(strategy& strategy) noexcept override { strategy_ = &strategy; }
    [[nodiscard]] std::optional<iteration> at_wait(const wait_point& at) override;

private:
    void end_redundant_wake_up(const iteration& last);

    const execution_options& options_;
    execution_state& run_;
    run_end& run_end_;
    const thread_fingerprints& thread_fingerprints_;
    findings& findings_;
    strategy* strategy_ = nullptr;
};

}  // namespace ordeal::detail::graph
