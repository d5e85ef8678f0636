// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/facts/acceptances.hpp"
#include "ordeal/engine/graph/core/run/run_context.hpp"

#include <cstdint>
#include <string_view>

namespace ordeal::detail::graph {

/// Notifications of atomics. Every library notifies by address alone, so that a notification after the atomic's
/// lifetime has no effect; but it is undefined ("P2616R4: Making std::atomic notification/wait operations usable in
/// more situations"). It is a violation of its own kind. If it is accepted, a notification is no access to the object.
class notifications : run_context {
public:
    notifications(const run_context& of, acceptances& acceptances) : run_context(of), acceptances_(acceptances) {}

    void notify(memory_range where, bool all, site_id site);
    /// A notification by address alone, which may come after the object's lifetime.
    void notify_address(std::uintptr_t address, bool all, site_id site);

    /// The object meant by an address: that of the thread's preceding operation, whatever is there now.
    [[nodiscard]] location meant_by(std::uintptr_t address);
    /// Atomics in this range are destroyed: each notification must happen before. Arrivals at a latch or a barrier that
    /// are in no order have none yet, as the last one notifies: does not return if one of them need not have returned.
    void require_none(memory_range ending);

private:
    [[nodiscard]] bool is_gone(std::uintptr_t address);
    [[nodiscard]] bool has_notified(std::uintptr_t address, event_index since) const;
    void note(location meant, memory_range where, bool all, site_id site);
    /// `destroys`: the running thread ends the atomic, and has not sent the notification.
    void comes_too_late(std::string_view how, site_id site, std::uintptr_t address, bool destroys);

    acceptances& acceptances_;
};

}  // namespace ordeal::detail::graph
