// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/operations/operation.hpp"
#include "ordeal/engine/graph/core/state/thread_tree.hpp"
#include "ordeal/engine/graph/non_atomic/non_atomic_memory.hpp"

namespace ordeal::detail::graph {

/// Creation and joining of threads by the code on trial, and the end of each thread.
class created_threads : operation {
public:
    /// `bytes`: the memory of instrumented code, else null.
    created_threads(const operation_parts& of, thread_tree& thread_ids, non_atomic_memory* bytes)
        : operation(of), tree_(thread_ids), non_atomic_memory_(bytes) {}

    int create(void (*body)(void*), void* argument, site_id site);
    void join(int thread, site_id site);
    void note_own_id() {
        run_.self().asked_id = true;
        if (run_.observer != nullptr) run_.observer->asked_id();
    }
    /// Ends the running thread.
    [[noreturn]] void finish();

private:
    static void run_created(void* self, int thread_id);
    [[nodiscard]] int thread_for(const event& creation, site_id site);
    [[nodiscard]] int thread_to_reuse_id_of() const;
    [[nodiscard]] bool holds_a_lock(int thread_id) const;
    void begin_reusing_id();
    [[nodiscard]] bool could_have_id_of_another() const noexcept;

    thread_tree& tree_;
    non_atomic_memory* non_atomic_memory_;
};

}  // namespace ordeal::detail::graph
