// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/operations/operation.hpp"

#include <cstdint>

namespace ordeal::graph {

/// The system call futex, as the kernel has it: beside each word there is a line of those who sleep, and a lock. A wait
/// compares the word and enters the line while it has the lock; a wake takes some out of the line. So a wake either finds
/// the wait in the line, or comes before it, and then the wait finds in the word what was stored before the wake.
///
/// The line is an atomic that holds who waits and who was woken, as a condition variable is one. What its order tells a
/// thread counts where the word is compared and nowhere else: a program that hands data over must do that by its own
/// atomics.
class futexes : operation {
public:
    futexes(const operation_parts& of, notifications& notifications, findings& findings)
        : operation(of), notifications_(notifications), findings_(findings) {}

    void begin(strategy& how) noexcept { strategy_ = &how; }

    [[nodiscard]] futex_wait_result wait(const caller_state& caller, memory_range word, std::uint32_t expected,
                                         const wait_timeout& limit, site_id site);
    /// How many were woken.
    unsigned wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site);

private:
    seen_value change_line(object& line, const read_request& how, site_id site);
    void choose_end(event_id fence);
    [[nodiscard]] bool fence_of_kernel(bool may_end, site_id site);
    seen_value look_at_word(object& word, std::uint32_t expected, site_id site);
    [[nodiscard]] futex_wait_result sleep_on(object& word, std::uint32_t expected, const wait_timeout& limit,
                                             site_id site);

    notifications& notifications_;
    findings& findings_;
    strategy* strategy_ = nullptr;
};

}  // namespace ordeal::graph
