// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/operations/alike_threads.hpp"
#include "ordeal/engine/graph/operations/operation.hpp"
#include "ordeal/engine/graph/plain/plain_memory.hpp"
#include "ordeal/engine/graph/state/thread_tree.hpp"

namespace ordeal::graph {

/// Threads that the code on trial creates and joins, and the end of each thread.
class created_threads : operation {
public:
    /// `bytes`: of instrumented code, else null.
    created_threads(const operation_parts& of, fibers& stacks, thread_tree& thread_ids, findings& met,
                    alike_threads& alike, plain_memory* bytes)
        : operation(of), stacks_(stacks), tree_(thread_ids), met_(met), alike_(alike), bytes_(bytes) {}

    int create(void (*body)(void*), void* argument, site_id site);
    void join(int thread, site_id site);
    void note_own_id() {
        run_.self().asked_id = true;
        alike_.asked_id();
    }
    /// The last thing a thread does.
    [[noreturn]] void finish();

private:
    static void run_created(void* self, int thread_id);
    [[nodiscard]] bool could_have_id_of_another() const noexcept;

    fibers& stacks_;
    thread_tree& tree_;
    findings& met_;
    alike_threads& alike_;
    plain_memory* bytes_;
};

}  // namespace ordeal::graph
