// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/notifications.hpp"
#include "ordeal/engine/graph/core/execution/operation_accounting.hpp"
#include "ordeal/engine/graph/core/execution/single_threaded_memory.hpp"
#include "ordeal/engine/graph/non_atomic/handovers.hpp"

#include <cstdint>

namespace ordeal::graph {

/// Objects of the code on trial: where they begin and end, and whether each access to them is ordered with that. None of it
/// is an event; it is checked by happens-before in every run.
class object_lifetimes {
public:
    object_lifetimes(execution_state& run, operation_accounting& accounting, run_end& run_end, recorder& recorder,
                     notifications& notifications, single_threaded_memory& single_threaded, handovers& handovers,
                     findings& findings)
        : run_(run),
          operation_accounting_(accounting),
          run_end_(run_end),
          recorder_(recorder),
          notifications_(notifications),
          single_threaded_memory_(single_threaded),
          handovers_(handovers),
          findings_(findings) {}

    /// The object of an access; it must be alive.
    object& live(std::uintptr_t address, site_id site) {
        object* const found = run_.objects.find(address);
        if (found == nullptr || !found->alive) [[unlikely]]
            fail_not_alive(found, address, site);
        return *found;
    }
    /// The object of an operation, which is a read of its life.
    object& touch(std::uintptr_t address, site_id site, object_kind kind);

    /// An access by the running thread. Whether it is ordered after those that it must be ordered after: the last write; of a
    /// write the reads too.
    [[nodiscard]] bool note_read(object& target) noexcept;
    [[nodiscard]] bool note_write(object& target) noexcept;

    // Of code over the policy, which has constructors and destructors.
    void begin(memory_range where, object_kind kind, std::uint64_t initial, site_id site);
    void end(memory_range where, site_id site);
    /// Objects end whose destructors did not run.
    void end_with_block(memory_range block);

    // Of instrumented code, where an object begins with its first operation, and ends when its bytes are written or freed.
    object& begin_at(memory_range where, object_kind kind, std::uint64_t initial);
    /// `own`: its bytes. Null point: not by a plain access.
    void end_by_write(object& ending, memory_range own, const code_location* at);
    /// Atomics live in the graph. When a plain access has been found to be ordered after all that was done to them, their
    /// bytes are made to hold what they came to.
    void bring_up_to_date(memory_range where);

    /// Of an atomic: its bytes are not what an operation has last left there, and nobody was seen to write them.
    [[nodiscard]] static bool overwritten(memory_range where) noexcept;

    /// Whether the running thread has the mutex, or is the writer of the lock.
    [[nodiscard]] bool holds(std::uintptr_t mutex);
    [[nodiscard]] bool holds_shared(int thread, std::uintptr_t mutex) const;

private:
    void note_begun(memory_range where, object_kind kind, std::uint64_t initial);
    [[noreturn]] void fail_not_alive(object* found, std::uintptr_t address, site_id site);
    void note_meeting(const object& touched) noexcept;
    void retire(object& dying, site_id site, const char* how);
    void require_unused(object& ending, const code_location* at);

    execution_state& run_;
    operation_accounting& operation_accounting_;
    run_end& run_end_;
    recorder& recorder_;
    notifications& notifications_;
    single_threaded_memory& single_threaded_memory_;
    handovers& handovers_;
    findings& findings_;
};

// Construction and finish are no thread. Threads whose accesses creating and joining them orders have not met: nothing else is
// possible.
inline void object_lifetimes::note_meeting(const object& touched) noexcept {
    if (findings_.threads_shared_object || run_.alone()) [[likely]]
        return;
    findings_.synchronised |= run_.another_is_there();
    const view& fixed = run_.self().fixed;
    findings_.threads_shared_object = touched.writer != run_.thread_id && fixed[touched.writer] < touched.write_epoch;
    for (int thread_id = 1; thread_id <= run_.thread_ids->count(); ++thread_id) {
        const auto thread = static_cast<std::size_t>(thread_id);
        findings_.threads_shared_object |= thread_id != run_.thread_id && fixed[thread] < touched.reads[thread];
    }
}

// An access of an earlier epoch is ordered before this point when what happened before holds an event that came after it.
inline bool object_lifetimes::note_read(object& target) noexcept {
    const thread_state& me = run_.self();
    note_meeting(target);
    const bool ordered = target.writer == run_.thread_id || me.hb[target.writer] >= target.write_epoch;
    target.reads[run_.index()] = run_.epoch();
    return ordered;
}

inline bool object_lifetimes::note_write(object& target) noexcept {
    const thread_state& me = run_.self();
    note_meeting(target);
    const bool ordered = (target.writer == run_.thread_id || me.hb[target.writer] >= target.write_epoch) &&
                         me.hb.includes_but_of(run_.index(), target.reads);
    target.writer = static_cast<std::uint8_t>(run_.thread_id);
    target.write_epoch = run_.epoch();
    return ordered;
}

}  // namespace ordeal::graph
