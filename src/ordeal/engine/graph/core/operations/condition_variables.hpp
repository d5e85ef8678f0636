// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/operations/locks.hpp"
#include "ordeal/engine/graph/core/operations/operation.hpp"
#include "ordeal/engine/graph/core/operations/sleeps.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Condition variables; waiter_bits.hpp explains their values.
class condition_variables : operation {
public:
    condition_variables(const operation_parts& of, locks& locks, sleeps& sleeps)
        : operation(of), locks_(locks), sleeps_(sleeps) {}

    /// Returns whether the time limit has passed, notified or not.
    bool wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex, site_id site,
              const wait_timeout& limit);
    void notify(std::uintptr_t condition, bool all, site_id site);
    /// Before it is destroyed, which is right as soon as all threads that wait are notified
    /// ([thread.condition.condvar]): waits until they have left it. That orders nothing.
    void await_departures(std::uintptr_t condition);

private:
    void require_same_mutex(const seen_value& before, std::uintptr_t mutex, site_id site);

    locks& locks_;
    sleeps& sleeps_;
};

}  // namespace ordeal::detail::graph
