// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/graph_engine.hpp"

#include "ordeal/engine/graph/search/checkpoint.hpp"
#include "ordeal/engine/graph/search/search_session.hpp"
#include "ordeal/engine/search_report.hpp"

#include <utility>

namespace ordeal::detail {

search_result graph_engine::search(const scenario& what, const search_options& options, search_progress& progress) {
    if (auto refused = begin_search(*this, what, options)) return std::move(*refused);
    return graph::search_session(what, options, progress).search();
}

void graph_engine::require_own_checkpoint(const scenario& what, const search_options& options) const {
    (void)graph::checkpoint(what, options).load();
}

}  // namespace ordeal::detail
