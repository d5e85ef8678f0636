// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations that write, and undo what they wrote: a lock that is taken and given back around a look that found
// nothing, or given back and taken again; a fetch_sub that a fetch_add takes back; a store of the value that is there.
//
// Without such an iteration an execution is one all the same, with the same outcome, if nobody outside such iterations
// has seen it halfway. Its writes to a location are one block in coherence that ends with the value before it, or are
// additions with the sum 0, which others may have come between who add as well and do not use the result. Who reads
// from the last of them reads from the write before the first instead. That has the same value, and releases no more:
// without this condition a relaxed store that restores a value would order less than the write that it hides. So
// nobody knows more: every constraint that is left was there before, and every race is one still.
//
// Source: zero-net-effect loops of GenMC (Kokologiannakis, Ren, Vafeiadis, "Dynamic Partial Order Reductions for
// Spinloops", FMCAD 2021), there for additions alone, and found by their syntax.
#pragma once

#include "ordeal/engine/graph/core/state/run_state.hpp"

#include <cstdint>
#include <optional>

namespace ordeal::detail::graph {

/// What a thread wrote to atomics and locks from one of its events on.
class zero_net_effect {
public:
    zero_net_effect(const run_state& run, const thread_state& by, event_index begin) noexcept
        : run_(run), by_(by), begin_(begin) {}

    /// The event from which on a thread has written what is left out, in its last iteration; nothing: there is none.
    [[nodiscard]] static std::optional<event_index> undone_from(const thread_state& of) noexcept {
        if (const auto* const loop = of.blocked_as<blocked::by_spinloop>()) return loop->last.undone_from;
        const auto* const pruned = of.blocked_as<blocked::by_pruning>();
        return pruned == nullptr ? std::nullopt : pruned->undone_from;
    }

    /// Whether each location is as it was before, or will be when others have undone what they are about to undo.
    [[nodiscard]] bool holds() const;
    /// Whether an event outside iterations that are left out depends on what was there in the middle.
    [[nodiscard]] bool observed() const;
    /// The co-maximal write that a further iteration would overwrite by a store of another value. Some iteration
    /// does, since only finitely many writes come before any in coherence: so this graph is not how the program stays
    /// (Lahav, Namakonov, Oberhauser, Podkopaev, Vafeiadis, "Making Weak Memory Models Fair", OOPSLA 2021).
    [[nodiscard]] std::optional<event_id> overwritten_again() const;

private:
    /// The thread's writes to one location: the first and the last, by their index in the thread.
    struct written {
        const object* target;  ///< null: it is gone, or is the queue of a futex
        event_index first;
        event_index last;
    };

    [[nodiscard]] const event& at(event_index number) const { return (*run_.graph)[by_.path[number]]; }
    [[nodiscard]] bool writes_to(event_index number, location where) const {
        return at(number).is_write() && at(number).where == where;
    }
    template <class Condition>
    [[nodiscard]] bool some_location(Condition condition) const;
    template <class Condition>
    [[nodiscard]] bool all_writes(const written& of, Condition condition) const;
    /// Whether the first write to it is a store to an atomic.
    [[nodiscard]] bool is_stored(const written& of) const;
    [[nodiscard]] bool is_restored(const written& of) const;
    [[nodiscard]] std::optional<event_id> write_before(const written& of) const;
    [[nodiscard]] std::uint64_t value_of(event_id write, const written& of) const;
    [[nodiscard]] bool releases_as(event_id before, const written& of) const;
    [[nodiscard]] bool is_block(const written& of, event_id before) const;
    [[nodiscard]] bool replaces_another_write(const written& of) const;
    [[nodiscard]] bool adds_zero(const written& of) const;
    [[nodiscard]] bool only_adds(const event& each) const;
    [[nodiscard]] bool is_left_out(const event& each) const;

    const run_state& run_;
    const thread_state& by_;
    event_index begin_;
};

}  // namespace ordeal::detail::graph
