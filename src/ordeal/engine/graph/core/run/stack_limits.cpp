// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/stack_limits.hpp"

#include <cstdio>

namespace ordeal::detail::graph {

const char* stack_limits::message_for_used_up() noexcept {
    static_assert(fibers::stack_size == std::size_t{8} << 20);
    if (run_.on_main_thread()) return "the stack of construction or finish is used up (8 MB)";
    std::snprintf(words_.data(), words_.size(), "the stack of thread %d is used up (8 MB)", run_.thread_id);
    return words_.data();
}

}  // namespace ordeal::detail::graph
