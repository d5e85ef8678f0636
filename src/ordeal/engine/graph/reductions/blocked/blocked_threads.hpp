// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permanently blocked threads.
//
// What is left out: graphs in which a thread is blocked, and stays blocked in all that comes of them. Its last read was
// not added maximally, since it passed over a newer write or failed spuriously, and so no revisit changes or deletes
// it. Such a graph is abandoned: nothing that comes of it is an execution.
//
// Why nothing is lost: whatever the others do there, they also do where the thread has not made its last iteration yet,
// and makes it at the very end, with what is newest then. What it touches up to the iteration's first operation it
// touches whatever it finds. After that it has touched nothing that it had not touched before
// (thread_effects::touched_again), and it has told nobody anything since: who races with the iteration races with what
// was before.
//
// Source: maximality is that of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022); that blocked
// executions need not be followed is the idea of Awamoche (Kokologiannakis, Marmanis, Vafeiadis, CAV 2023).
#pragma once

#include "ordeal/engine/graph/core/liveness/woken_waits.hpp"
#include "ordeal/engine/graph/core/reduction.hpp"

namespace ordeal::detail::graph {

class blocked_threads final : public reduction {
public:
    explicit blocked_threads(const run_context& of) : run_(of.run_) {}

    [[nodiscard]] bool abandons_blocked(const blocking& blocking) override;

private:
    [[nodiscard]] bool is_permanent() const;

    const run_state& run_;
    woken_waits woken_waits_{run_};
};

}  // namespace ordeal::detail::graph
