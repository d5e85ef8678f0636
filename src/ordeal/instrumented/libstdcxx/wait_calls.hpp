// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/per_thread.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::detail {

/// A load made by the condition of a wait.
struct watched_load {
    atomic_access access;
    std::uint64_t value = 0;
};

/// The next load of an object, announced by our <bits/atomic_wait.h>: the library's own function makes it, at the
/// user's location and with the user's order.
struct announced_load {
    std::uintptr_t address = 0;  ///< 0: nothing is announced
    int thread = 0;
    bool blocks = false;  ///< returns once the object does not hold `old`
    std::uint64_t old = 0;
    watched_load* watched = nullptr;  ///< where it is recorded
};

/// A condition wait whose condition a thread is evaluating.
struct wait_iteration {
    std::uintptr_t address = 0;  ///< 0: none
    watched_load* seen = nullptr;
    bool outdated = false;  ///< the value read has changed since, and the thread has not read the new one
};
inline per_thread<wait_iteration> wait_iterations;

// One is enough: no other thread can run between the announcement and the load.
inline announced_load announced;

/// The announcement for this load, once; all zero for almost every load.
[[nodiscard]] inline announced_load take_announced_load(const instrumented_runtime& runtime,
                                                        memory_range where) noexcept {
    const announced_load result = announced;
    if (result.address != where.address || result.thread != runtime.thread()) [[likely]]
        return {};
    announced = {};
    return result;
}

/// A compare-exchange inside the condition, that of a semaphore, has failed. If it read 0, that is the value that the
/// condition rejects; libstdc++ 12 continues with the one loaded before, and may then wait for a change that has
/// already happened (GCC PR 104928). At any other value there is nothing to wait for: the condition must be evaluated
/// again.
inline void note_failed_exchange(const instrumented_runtime& runtime, memory_range where, std::uint64_t seen) noexcept {
    const std::size_t slot = thread_slot(runtime);
    if (wait_iterations.at(slot).address != where.address) [[likely]]
        return;
    wait_iteration& iteration = wait_iterations[slot];
    iteration.seen->value = seen;
    iteration.outdated = seen != 0;
}

/// Called before each execution, as the last one may have been left anywhere.
inline void forget_announced_loads() noexcept {
    announced = {};
    wait_iterations.clear();
}
inline void save_announced_loads(snapshot& to) {
    to.put(announced);
    wait_iterations.save(to);
}
inline void restore_announced_loads(snapshot& from) {
    from.take(announced);
    wait_iterations.restore(from);
}

}  // namespace ordeal::detail
