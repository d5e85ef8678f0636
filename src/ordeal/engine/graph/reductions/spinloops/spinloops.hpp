// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that come back to the same state.
//
// What is left out: a further iteration of a loop after which the thread is in the state in which an earlier iteration
// began, and has done nothing meanwhile that others could see, or has undone it (core/liveness/zero_net_effect.hpp).
// The thread is blocked; if a spurious failure or wake-up led it there, this is no execution of its own.
//
// Why nothing is lost: executions that differ in the number of such iterations alone have the same outcomes; the one in
// which the thread goes on is that in which its last read has another rf, and a backward revisit or another forward
// revisit leads to it.
//
// Source: Kokologiannakis, Ren, Vafeiadis, "Dynamic Partial Order Reductions for Spinloops", FMCAD 2021, which finds
// such loops by their syntax; here the states are compared, by fingerprint, so that code is taken as it stands.
#pragma once

#include "ordeal/engine/graph/core/reduction.hpp"

namespace ordeal::detail::graph {

class spinloops final : public reduction {
public:
    explicit spinloops(const run_context& of) : run_(of.run_) {}

    [[nodiscard]] action at_operation(const operation_point& at, blocking& blocking) override;
    [[nodiscard]] action at_iteration(const iteration_point& at, blocking& blocking) override;

private:
    [[nodiscard]] bool some_event_since(event_index begin, bool (event::*is_one)() const noexcept) const;

    const run_state& run_;
};

}  // namespace ordeal::detail::graph
