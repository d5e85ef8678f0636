// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <atomic>
#include <cstdint>

namespace ordeal::broken {

/// What sync_wait blocks on, with one bug: the completing side notifies after it has published completion. The blocked
/// thread may have gone on without the notification, and freed the signal.
template <atomic_policy P>
class completion_signal {
public:
    void notify() noexcept {
        // order: release -> wait: the result.
        state_.store(finished, std::memory_order_release);
        state_.notify_one();  // the bug: *this may be gone
    }

    void wait() const noexcept {
        // order: acquire <- notify: the result.
        state_.wait(pending, std::memory_order_acquire);
    }

private:
    static constexpr std::uint32_t pending = 0;
    static constexpr std::uint32_t finished = 1;

    typename P::template atomic<std::uint32_t> state_{pending};
};

}  // namespace ordeal::broken
