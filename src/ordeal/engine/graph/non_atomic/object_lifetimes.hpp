// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/notifications.hpp"
#include "ordeal/engine/graph/non_atomic/used_orders.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// What is refused: the object would have to begin again while others use it.
inline constexpr const char* written_part_of_atomic =
    "a non-atomic write to a part of an atomic object that others access";

/// The lifetimes of the objects of the code on trial, and whether each access is ordered with their beginning and end.
/// These are not events; happens-before is checked in every run.
class object_lifetimes : run_context {
public:
    object_lifetimes(const run_context& of, notifications& notifications, used_orders& used_orders)
        : run_context(of), notifications_(notifications), used_orders_(used_orders) {}

    /// The object of an access; fails if it is not alive.
    object& live(std::uintptr_t address, site_id site) {
        object* const found = run_.objects.find(address);
        if (found == nullptr || !found->alive) [[unlikely]]
            fail_not_alive(found, address, site);
        if (run_.before_others && !run_.runs_without_others()) found->take_unseen_write();
        return *found;
    }
    /// The object of an operation, which counts as a read of its lifetime.
    object& touch(std::uintptr_t address, site_id site, object_kind kind);

    /// An access by the running thread. Returns whether it is ordered after the last write, and, if it writes, after
    /// the reads.
    [[nodiscard]] bool note_read(object& target) noexcept;
    [[nodiscard]] bool note_write(object& target) noexcept;

    // Of code over the policy, which has constructors and destructors.
    void begin(memory_range where, object_kind kind, std::uint64_t initial, site_id site);
    void end(memory_range where, site_id site);
    /// Ends the objects in a block whose destructors did not run.
    void end_with_block(memory_range block);

    // Of instrumented code, where an object begins with its first operation and ends when its bytes are written or
    // freed.
    object& begin_at(memory_range where, object_kind kind, std::uint64_t initial);
    /// `own`: its bytes. Null `at`: not by a non-atomic access.
    void end_by_write(object& ending, memory_range own, const code_location* at);
    /// Atomics live in the graph. Once a non-atomic access is known to be ordered after all operations on them, their
    /// current values are stored in their bytes.
    void bring_up_to_date(memory_range where);

    /// Whether the bytes of an atomic hold what no operation left there: code that is not instrumented has reused them.
    [[nodiscard]] bool overwritten(object& of);

    /// Whether the running thread holds the mutex exclusively.
    [[nodiscard]] bool holds(std::uintptr_t mutex);
    [[nodiscard]] bool holds_shared(int thread, std::uintptr_t mutex) const;

private:
    void note_begun(memory_range where, object_kind kind, std::uint64_t initial);
    [[noreturn]] void fail_not_alive(object* found, std::uintptr_t address, site_id site);
    void note_meeting(const object& touched) noexcept;
    void note_synchronisation(site_id site) noexcept;
    void retire(object& dying, site_id site, const char* how);
    void require_unused(object& ending, const code_location* at);
    void bring_parts_up_to_date(object& of, memory_range where);

    notifications& notifications_;
    used_orders& used_orders_;
};

// Construction and finish() are no threads. Threads whose accesses are ordered by creating and joining do not count as
// sharing: only one order is possible.
inline void object_lifetimes::note_meeting(const object& touched) noexcept {
    if (search_facts_.threads_shared_object || run_.on_main_thread()) [[likely]]
        return;
    const view& fork_join_hb = run_.self().fork_join_hb;
    search_facts_.threads_shared_object =
        touched.writer != run_.thread_id && fork_join_hb[touched.writer] < touched.write_epoch;
    for (int thread_id = 1; thread_id <= run_.thread_ids->count(); ++thread_id) {
        const auto thread = static_cast<std::size_t>(thread_id);
        search_facts_.threads_shared_object |=
            thread_id != run_.thread_id && fork_join_hb[thread] < touched.reads[thread];
    }
}

// An access in an earlier epoch is ordered before this point if happens-before holds an event that followed the access.
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

}  // namespace ordeal::detail::graph
