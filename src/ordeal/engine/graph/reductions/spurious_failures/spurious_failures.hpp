// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spurious failures that lead back to the same state.
//
// What is left out: a weak compare-exchange, or a try_lock, that fails spuriously, after which its thread comes back to
// the operation in the same state. Each new such operation is first made to fail in speculation.
//
// Why nothing is lost: the thread goes on as if the operation had not failed, and has told nobody anything meanwhile.
// What comes of the failure depends on the thread alone, so the speculation takes no event.
//
// Source: [atomics.types.operations] and [thread.mutex.requirements.mutex] allow spurious failures; the argument is
// that of reductions/spinloops for the iteration that the failure causes.
#pragma once

#include "ordeal/engine/graph/core/reduction.hpp"

namespace ordeal::detail::graph {

class spurious_failures final : public reduction, run_context {
public:
    explicit spurious_failures(const run_context& of) : run_context(of) {}

    [[nodiscard]] bool selects_spurious_failures() const noexcept override { return true; }

    [[nodiscard]] bool fails_speculatively(const operation_point& at, site_id site) override {
        thread_state& me = run_.self();
        const bool known = run_.graph->spurious_matters_next == run_.thread_id;
        if (run_.on_main_thread() || !run_.strategy->explores() || !run_.at_end(me) || known) return false;
        me.speculated = {
            .active = true, .failed = state(at, site), .time_outs = me.time_outs, .since_header = me.since_header};
        return true;
    }

    void end_speculation(const operation_point& at, site_id site) override {
        thread_state& me = run_.self();
        if (!state(at, site).has_come_back_to(me.speculated.failed)) run_end_.give_up_speculation();
        me.speculated.active = false;
        me.time_outs = me.speculated.time_outs;
        me.since_header = me.speculated.since_header;  // as in a run of the graph without the speculation
        thread_fingerprints_.set_clock_back(me.speculated.failed.clock);
    }

private:
    [[nodiscard]] thread_fingerprint state(const operation_point& at, site_id site) const {
        return thread_fingerprints_.take(thread_fingerprint::extent::all, site, at.caller, at.given);
    }
};

}  // namespace ordeal::detail::graph
