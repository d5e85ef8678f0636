// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/fibers.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>
#include <string>

namespace ordeal::detail::graph {

/// Names of memory in reports: "a local variable of thread 2", the name of a global, a heap block.
class memory_names {
public:
    explicit memory_names(const fibers& fibers) : fibers_(fibers) {}

    [[nodiscard]] std::string of(memory_range where) const;
    /// The name of a local or thread-local variable; empty for anything else.
    [[nodiscard]] std::string of_local(std::uintptr_t address) const;

private:
    const fibers& fibers_;
};

}  // namespace ordeal::detail::graph
