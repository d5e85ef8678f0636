// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/operations/lock_elision.hpp"
#include "ordeal/engine/graph/core/operations/operation.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Mutexes, shared mutexes and semaphores. Each is an atomic; acquiring one is a read-modify-write.
class locks : operation {
public:
    explicit locks(const operation_parts& of) : operation(of), lock_elision_(run_, run_end_) {}

    /// `called`: as the trace has it, if it is no operation of its own.
    void lock(std::uintptr_t mutex, site_id site, const char* called = nullptr);
    [[nodiscard]] bool try_lock(const caller_state& caller, std::uintptr_t mutex, site_id site);
    void unlock(std::uintptr_t mutex, site_id site, const char* called = nullptr);
    /// Fails if a thread locks a mutex that it already holds.
    void require_not_held(std::uintptr_t mutex, site_id site);

    void lock_shared(std::uintptr_t mutex, site_id site);
    [[nodiscard]] bool try_lock_shared(const caller_state& caller, std::uintptr_t mutex, site_id site);
    void unlock_shared(std::uintptr_t mutex, site_id site);

    void acquire(const atomic_access& semaphore);
    [[nodiscard]] bool try_acquire(const caller_state& caller, const atomic_access& semaphore);

private:
    void note_shared(std::uintptr_t mutex);
    [[nodiscard]] object& begin_elided(std::uintptr_t mutex, site_id site, const char* called);

    lock_elision lock_elision_;
};

}  // namespace ordeal::detail::graph
