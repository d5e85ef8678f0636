// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/spurious_failures/spurious_failures.hpp"

namespace ordeal::detail::graph {

bool spurious_failures::fails_on_trial(const operation_point& at, site_id site) {
    thread_state& me = run_.self();
    const bool known = run_.graph->spurious_matters_next == run_.thread_id;
    if (run_.on_main_thread() || !explores_ || !run_.at_end(me) || known) return false;
    me.speculated = {.active = true, .failed = state(at, site), .time_outs = me.time_outs};
    return true;
}

void spurious_failures::end_trial(const operation_point& at, site_id site) {
    thread_state& me = run_.self();
    if (!state(at, site).has_come_back_to(me.speculated.failed)) run_end_.give_up_speculation();
    me.speculated.active = false;
    me.time_outs = me.speculated.time_outs;
    thread_fingerprints_.set_clock_back(me.speculated.failed.clock);
}

}  // namespace ordeal::detail::graph
