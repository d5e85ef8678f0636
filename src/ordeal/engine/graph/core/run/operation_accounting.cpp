// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/operation_accounting.hpp"

namespace ordeal::detail::graph {

// A long loop cannot be told from an endless one. Code over the policy is written for this model; any other may have
// long loops.
void operation_accounting::end_too_long(site_id site) {
    // With fewer than by default an execution may be cut short that would have ended.
    const bool is_taken_for_endless = options_.step_limit >= default_length;
    if (is_taken_for_endless && (!options_.instrumented || run_.on_main_thread()))
        run_end_.fail_too_long(options_.step_limit, "operations", site);
    search_facts_.length_bound = true;
    run_end_.abandon();
}

}  // namespace ordeal::detail::graph
