// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/operations/operation.hpp"

#include <cstdint>
#include <optional>

namespace ordeal::detail::graph {

/// Sleeps and time limits of executions in which time passes only when no thread can go on otherwise: then that of the
/// thread that waits for the earliest time comes, as in a discrete-event simulation. In the graph a relaxed fence,
/// which orders nothing, is where a thread goes on, so that a replay knows when that was.
class sleeps : operation {
public:
    explicit sleeps(const operation_parts& of) : operation(of) {}

    /// See instrumented_runtime.
    [[nodiscard]] std::optional<std::uint64_t> time_passed() const {
        return passes() ? std::optional(run_.time) : std::nullopt;
    }
    void sleep(std::uint64_t nanoseconds, site_id site);

    /// The running thread is about to take a notification from `queue`, which it waits for in the form `how`, with a
    /// limit: comes back when it is notified, or at the limit. What is left of the limit then: it has expired, or there
    /// is none. Where time does not pass so: the limit as it is.
    [[nodiscard]] wait_timeout::kind await(const object& queue, read_form how, const wait_timeout& limit, site_id site);

    /// Nobody can end this wait before its limit.
    void come_to(const wait_timeout& limit) {
        if (passes() && limit.when == wait_timeout::kind::pending) run_.time += limit.distance;
    }

private:
    [[nodiscard]] bool passes() const noexcept { return run_.graph->late_timeouts; }
    void go_on(site_id site);
};

}  // namespace ordeal::detail::graph
