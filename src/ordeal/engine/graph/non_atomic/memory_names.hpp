// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/fibers.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <cstdint>
#include <string>

namespace ordeal::detail::graph {

/// Names of memory in reports: "a local variable of thread 2", the name of a global, a heap block.
class memory_names {
public:
    explicit memory_names(const fibers& fibers) : fibers_(fibers) {}

    [[nodiscard]] std::string of(memory_range where) const {
        std::string name = of_local(where.address);
        if (name.empty() && heap::contains(reinterpret_cast<const void*>(where.address))) {
            name = heap::describe(where.address);
        } else if (name.empty()) {
            name = instrumented().name_of(where.address);
        }
        return name.empty() ? "memory" : name;
    }

    /// The name of a local or thread-local variable; empty for anything else.
    [[nodiscard]] std::string of_local(std::uintptr_t address) const {
        const std::uintptr_t on_stacks = address - fibers_.region().address;
        if (on_stacks < fibers_.region().size) {
            return "a local variable of " + words_for_thread(static_cast<int>(on_stacks / fibers_.parts().of_each));
        }
        const memory_of_threads variables = instrumented().thread_variables();
        const std::uintptr_t in_variables = address - variables.all.address;
        if (in_variables >= variables.all.size) return {};
        return "a thread-local variable of " + words_for_thread(static_cast<int>(in_variables / variables.of_each));
    }

private:
    static std::string words_for_thread(int thread_id) {
        return thread_id == main_thread_id ? "construction or finish" : "thread " + std::to_string(thread_id);
    }

    const fibers& fibers_;
};

}  // namespace ordeal::detail::graph
