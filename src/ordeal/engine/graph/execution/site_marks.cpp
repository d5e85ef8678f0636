// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/execution/site_marks.hpp"

#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal::graph {

void site_marks::make_room_for(site_id site) {
    const harness_scope harness;
    marks_.resize(std::max<std::size_t>(site + 1, 2 * marks_.size()));
}

void site_marks::add_writer(site_id writer, site_id reader) {
    const harness_scope harness;
    if (reader >= writers_.size()) writers_.resize(std::max<std::size_t>(reader + 1, 2 * writers_.size()));
    writers_[reader].push_back(writer);
    ++pairs_;
}

site_id site_of(const code_point& at) {
    const harness_scope harness;
    return instrumented().site_of(at);
}

}  // namespace ordeal::graph
