// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/graph_engine.hpp"

#include "ordeal/engine/graph/exploration/searcher.hpp"
#include "ordeal/model/heap.hpp"

namespace ordeal {

search_result graph_engine::search(const scenario& what, const search_options& how, search_progress& progress) {
    if (what.threads.empty() || what.threads.size() > max_threads()) {
        search_result result;
        result.message = "the graph engine runs one to " + std::to_string(max_threads()) +
                         " threads; this scenario has " + std::to_string(what.threads.size());
        return result;
    }
    // Where there is no room, that is no fault of the code on trial: said here, before it runs.
    (void)heap::scenario_storage(what.model.size, what.model.alignment);
    sites().set_overrides(how.overrides);
    return graph::searcher(what, how, progress).search();
}

}  // namespace ordeal
