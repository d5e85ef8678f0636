// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/execution/operation_accounting.hpp"

namespace ordeal::graph {

// Nobody can tell a loop that counts to a thousand from one without an end. Code over the policy is written for this model;
// any other has a right to its loops.
void operation_accounting::end_too_long(site_id site) {
    if (!options_.instrumented || run_.alone()) run_end_.fail_too_long(options_.step_limit, "operations", site);
    findings_.length_bound = true;
    run_end_.abandon();
}

}  // namespace ordeal::graph
