// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/spurious_failures/spurious_failures.hpp"

#include <array>

namespace ordeal::graph {

// Whatever it will read.
bool spurious_failures::may_speculate() const noexcept {
    return options_.reductions.spurious_failures && !run_.alone() && strategy_->explores() &&
           run_.at_end(run_.self()) && run_.graph->spurious_matters_next != run_.thread_id;
}

object* spurious_failures::come_to(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                   std::uint64_t desired, const caller_state& caller) {
    run_.leave_single_threaded();  // that it fails is another execution
    thread_state& me = run_.self();
    const std::array given{std::uint64_t{access.where.address}, expected, desired};
    const auto state = [&] {
        return thread_fingerprints_.take(thread_fingerprint::extent::all, access.site, caller, given);
    };
    if (me.speculated.active) {
        if (!state().has_come_back_to(me.speculated.failed)) run_end_.give_up_speculation();
        me.speculated.active = false;
        me.time_outs = me.speculated.time_outs;
        thread_fingerprints_.set_clock_back(me.speculated.failed.clock);
        return run_.objects.find(access.where.address);
    }
    loops_.watch(access, caller, expected, desired);
    object& target = memory_.come_to(access.where.address, kind, true, access.site);
    if (!may_speculate()) return &target;
    me.speculated = {.active = true, .failed = state(), .time_outs = me.time_outs};
    return nullptr;
}

}  // namespace ordeal::graph
