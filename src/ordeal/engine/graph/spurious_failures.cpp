// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weak compare-exchanges that fail for no reason, and lead back to where they were.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal::graph {

speculation graph_memory::state_at(const atomic_access& access, std::uint64_t expected, std::uint64_t desired,
                                   const caller_state& caller) noexcept {
    return {.active = true,
            .where = access.site,
            .address = access.where.address,
            .expected = expected,
            .desired = desired,
            .state = hash_of(caller),
            .memory = memory_state(),
            .clock = clock(caller)};
}

// Whether a new weak compare-exchange is first made to fail, whatever it will read: what comes of that depends on the
// thread alone.
bool graph_memory::may_guess() noexcept {
    return !alone() && sink_ != nullptr && at_end(self()) && graph_->unsteady_next != number_;
}

// Comes to an operation that may fail spuriously; null: it does so now, on trial.
object* graph_memory::come_to_weak(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                   std::uint64_t desired, const caller_state& caller) {
    leave_quiet();  // that it fails is another execution
    thread_state& me = self();
    if (me.guess.active) {
        if (!me.guess.same_state(state_at(access, expected, desired, caller))) give_up_guess();
        me.guess.active = false;
        me.time_outs = me.guess.time_outs;
        if (options_.instrumented) instrumented().set_clock(me.guess.clock);
        return me.guess.target;
    }
    watch_loop(access, caller, expected, desired);
    object& target = come_to(access.where.address, kind, true, access.site);
    if (!may_guess()) return &target;
    me.guess = state_at(access, expected, desired, caller);
    me.guess.target = &target;
    me.guess.time_outs = me.time_outs;
    return nullptr;
}

// The failure leads to another state, so it is an alternative of its own; this run has gone too far to go on.
void graph_memory::give_up_guess() {
    self().guess.active = false;
    const harness_scope harness;
    graph_->unsteady_next = static_cast<std::uint8_t>(number_);
    sink_->emit(*graph_);
    graph_->unsteady_next = 0;
    abandon();
}

}  // namespace ordeal::graph
