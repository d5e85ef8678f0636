// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/spurious_failures.hpp"

namespace ordeal::graph {

speculation spurious_failures::state_at(const atomic_access& access, std::uint64_t expected, std::uint64_t desired,
                                        const caller_state& caller) noexcept {
    return {.active = true,
            .where = access.site,
            .address = access.where.address,
            .expected = expected,
            .desired = desired,
            .state = snapshots_.of_stack(caller),
            .memory = snapshots_.of_memory(),
            .clock = snapshots_.clock(caller)};
}

// Whatever it will read.
bool spurious_failures::may_guess() const noexcept {
    return !run_.alone() && strategy_->explores() && run_.at_end(run_.self()) &&
           run_.graph->unsteady_next != run_.number;
}

object* spurious_failures::come_to(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                   std::uint64_t desired, const caller_state& caller) {
    run_.leave_quiet();  // that it fails is another execution
    thread_state& me = run_.self();
    if (me.guess.active) {
        if (!me.guess.same_state(state_at(access, expected, desired, caller))) end_.give_up_guess();
        me.guess.active = false;
        me.time_outs = me.guess.time_outs;
        snapshots_.set_clock_back(me.guess.clock);
        return run_.objects.find(access.where.address);
    }
    loops_.watch(access, caller, expected, desired);
    object& target = memory_.come_to(access.where.address, kind, true, access.site);
    if (!may_guess()) return &target;
    me.guess = state_at(access, expected, desired, caller);
    me.guess.time_outs = me.time_outs;
    return nullptr;
}

}  // namespace ordeal::graph
