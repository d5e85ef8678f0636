// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/fibers.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>
#include <string>

namespace ordeal::graph {

/// What reports call memory: "a local variable of thread 2", the name of a global, a block of the heap.
class memory_names {
public:
    explicit memory_names(const fibers& fibers) : fibers_(fibers) {}

    [[nodiscard]] std::string of(memory_range where) const;
    /// Of a local variable or a thread-local one; empty for what is neither.
    [[nodiscard]] std::string of_local(std::uintptr_t address) const;

private:
    const fibers& fibers_;
};

}  // namespace ordeal::graph
