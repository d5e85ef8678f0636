// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/operations/operation.hpp"
#include "ordeal/engine/graph/core/operations/sleeps.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// The system call futex, as in the kernel: each futex word has a wait queue with a lock. A wait compares the word and
/// enters the queue while it holds the lock; a wake removes waiters from the queue. So a wake either finds the waiter
/// in the queue, or precedes the wait, which then sees in the word what was stored before the wake.
///
/// The queue is an atomic that holds the waiting and the woken threads, like the value of a condition variable. Its
/// synchronisation counts only for the comparison of the word: a program must hand over data through its own atomics.
class futexes : operation {
public:
    futexes(const operation_parts& of, notifications& notifications, sleeps& sleeps)
        : operation(of), notifications_(notifications), sleeps_(sleeps) {}

    [[nodiscard]] futex_wait_result wait(const caller_state& caller, memory_range word, std::uint32_t expected,
                                         const wait_timeout& limit, site_id site);
    /// Returns how many were woken.
    unsigned wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site);

private:
    seen_value change_queue(object& queue, const read_request& how, site_id site);
    void choose_end(event_id fence);
    [[nodiscard]] bool fence_of_kernel(bool may_end, site_id site);
    struct futex_word {
        object& object;
        memory_range where;
        footprint bytes;
    };
    /// Reads the word for the kernel's comparison.
    [[nodiscard]] bool holds_another(const futex_word& word, std::uint32_t expected, site_id site);
    [[nodiscard]] futex_wait_result sleep_on(const futex_word& word, std::uint32_t expected, const wait_timeout& limit,
                                             site_id site);

    notifications& notifications_;
    sleeps& sleeps_;
};

}  // namespace ordeal::detail::graph
