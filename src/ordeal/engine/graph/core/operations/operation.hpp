// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/progress/thread_visits.hpp"
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"
#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"

#include <array>
#include <cstdint>

namespace ordeal::detail::graph {

/// The parts of the engine that the operations of the runtime are composed of.
struct operation_parts : run_context {
    thread_visits& thread_visits_;
    iteration_bounds& iteration_bounds_;
    const reduction_list& reductions_;
    object_lifetimes& object_lifetimes_;
    graph_memory& memory_;
};

/// Base of the groups of operations.
class operation : protected operation_parts {
protected:
    explicit operation(const operation_parts& of) : operation_parts(of) {}
    ~operation() = default;

    /// A read-modify-write whose result is not used.
    void change(object& target, const read_request& how, site_id site) {
        memory_.complete(target, how, memory_.read_event(target, how, site), site);
    }
    /// Comes to an operation that may fail spuriously; null: it does so now, in speculation.
    [[nodiscard]] object* begin_weak_operation(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                               std::uint64_t desired, const caller_state& caller) {
        const accessed_bytes bytes = run_.mixed_sizes->of(access.where);
        const std::uintptr_t address = bytes.object.address;
        if (run_.before_others && (run_.runs_without_others() || !memory_.explores_spurious_failures())) {
            thread_visits_.watch(access, caller, expected, desired);
            object& target = memory_.begin_operation(address, kind, memory_access::update, access.site);
            if (bytes.bytes.of(target.initial) == expected) memory_.note_spurious_bound();
            return &target;
        }
        run_.leave_single_threaded();  // that it fails is another execution
        const std::array given{std::uint64_t{access.where.address}, expected, desired};
        const operation_point at{caller, given, nullptr};
        if (run_.self().speculated.active) {
            reductions_.end_speculation(at, access.site);
            return run_.objects.find(address);
        }
        thread_visits_.watch(access, caller, expected, desired);
        object& target = memory_.begin_operation(address, kind, memory_access::update, access.site);
        return reductions_.fails_speculatively(at, access.site) ? nullptr : &target;
    }
    /// The running thread begins a wait in the state in which it began an earlier one, which ended without a
    /// notification: the executions in which it goes on are those in which that one had not ended. But others go on,
    /// and what they write may have been there for the thread when it looked.
    void block_in_repeated_wait(const blocked::by_spinloop& why) {
        // It goes on by its limit: an iteration that did not end so says nothing of one that does.
        if (why.goes_on && run_.self().woke_spuriously_at > why.last.begin) {
            scheduling_points_.block(blocked::by_timed_wait{});
        } else {
            scheduling_points_.block(why);
        }
    }
    /// The running thread has read from an atomic.
    void note_read_from(const object& target, event_id rf, site_id reader) {
        if (run_.certification != nullptr) return;
        site_coverage_.note_crossing(rf, reader);
        site_coverage_.note_first_value(target, rf, reader);
    }
};

}  // namespace ordeal::detail::graph
