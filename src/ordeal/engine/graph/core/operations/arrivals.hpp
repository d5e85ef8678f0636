// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrivals at barriers and latches.
//
// What is left out: executions that differ in the order in which threads arrive. An arrival is an event that accesses
// no memory, so it is in no order with the others; a wait for the last one is no event, as joining a thread is none,
// and happens after all arrivals of its phase.
//
// Why nothing is lost: what a thread does after it has arrived does not depend on how many arrived before it, and what
// happens before that is what happens before the others' arrivals, whatever their order ([thread.barrier.class],
// [thread.latch.class]). That holds as long as
// - nothing asks how many have arrived (try_wait), or who was the last one;
// - whoever ends the latch or barrier knows that the calls have returned: the last one to arrive notifies after that;
// - the phase of an arrival is known, as it is where each thread arrives once in each phase and waits for the others.
// An execution in which it does not hold ends at the operation in question, and the search begins again, with each
// arrival as a read-modify-write. No such operation is missed: up to it, executions that differ only in the order of
// arrivals are the same.
//
// Source: Kokologiannakis, Vafeiadis, "BAM: Efficient Model Checking for Barriers", NETYS 2021.
#pragma once

#include "ordeal/engine/graph/core/operations/operation.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

class arrivals : operation {
public:
    explicit arrivals(const operation_parts& of) : operation(of) {}

    [[nodiscard]] bool are_events() const noexcept { return run_.graph->arrivals_are_events; }
    /// Called where the order of arrivals may be seen. Does not return if they are events.
    void order();
    void arrive(const coordination_object& where, std::uint64_t count);
    void await(const coordination_object& where);
    /// Whether a thread may be within a call there: it waits for others, or need not have returned. Those that are
    /// about to arrive do so first.
    [[nodiscard]] bool some_are_within(const coordination_object& where);

private:
    [[nodiscard]] const arrival* last_of_thread(location where) const noexcept;
};

}  // namespace ordeal::detail::graph
