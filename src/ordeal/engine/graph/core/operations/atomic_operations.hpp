// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/execution/code_on_trial.hpp"
#include "ordeal/engine/graph/core/operations/operation.hpp"
#include "ordeal/engine/graph/non_atomic/non_atomic_memory.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Operations of atomics, waits included; notifications are in notifications.hpp. The runtime captures the caller. Each
/// operation has the fences that overrides add at its site.
class atomic_operations : operation {
public:
    /// `bytes`: the memory of instrumented code, else null.
    atomic_operations(const operation_parts& of, future_reads& future, non_atomic_memory* bytes)
        : operation(of), future_reads_(future), non_atomic_memory_(bytes) {}

    std::uint64_t load(const caller_state& caller, const atomic_access& access);
    void store(const atomic_access& access, std::uint64_t value);
    std::uint64_t modify(const caller_state& caller, const atomic_access& access, modification how,
                         std::uint64_t operand);
    bool compare_exchange(const caller_state& caller, const atomic_access& access, order failure, site_id failure_site,
                          bool weak, std::uint64_t& expected, std::uint64_t desired);
    void fence(order using_order, site_id site);
    void wait(const atomic_access& access, std::uint64_t old);

private:
    friend fences_around<atomic_operations>;

    void store_part(const atomic_access& access, const accessed_bytes& at, std::uint64_t value);
    void make_fence(order using_order, site_id site);
    void add_fence(order with, site_id site);

    future_reads& future_reads_;
    non_atomic_memory* non_atomic_memory_;
};

}  // namespace ordeal::detail::graph
