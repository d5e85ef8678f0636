// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/memory_names.hpp"

#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/heap.hpp"

namespace ordeal::detail::graph {

namespace {

std::string words_for_thread(int thread_id) {
    return thread_id == main_thread_id ? "construction or finish" : "thread " + std::to_string(thread_id);
}

}  // namespace

std::string memory_names::of_local(std::uintptr_t address) const {
    const std::uintptr_t on_stacks = address - fibers_.region().address;
    if (on_stacks < fibers_.region().size) {
        return "a local variable of " + words_for_thread(static_cast<int>(on_stacks / fibers_.parts().of_each));
    }
    const memory_of_threads variables = instrumented().thread_variables();
    const std::uintptr_t in_variables = address - variables.all.address;
    if (in_variables >= variables.all.size) return {};
    return "a thread-local variable of " + words_for_thread(static_cast<int>(in_variables / variables.of_each));
}

std::string memory_names::of(memory_range where) const {
    std::string name = of_local(where.address);
    if (name.empty() && heap::contains(reinterpret_cast<const void*>(where.address))) {
        name = heap::describe(where.address);
    } else if (name.empty()) {
        name = instrumented().name_of(where.address);
    }
    return name.empty() ? "memory" : name;
}

}  // namespace ordeal::detail::graph
