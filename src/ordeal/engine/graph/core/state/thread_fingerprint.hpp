// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace ordeal::detail::graph {

/// Counts of what a thread has done that others could observe.
struct thread_effects {
    std::uint64_t effects = 0;  ///< operations that others may observe
    /// Those among `effects` that a later one may undo: values that atomics were given, and allocations.
    std::uint64_t undoable = 0;
    std::uint64_t blocks = 0;         ///< own_blocks::hash()
    std::uint64_t locks = 0;          ///< acquired and released, waits aside; and each of `effects`
    std::uint64_t writes = 0;         ///< of non-atomic bytes outside its own stack
    std::uint64_t touched = 0;        ///< accesses not made before, counted where states are compared
    std::uint64_t touched_again = 0;  ///< accesses that it had not made since it last did anything but read atomics
    std::uint64_t begun = 0;          ///< lifetimes of objects; each is an effect as well
    std::uint64_t lives = 0;          ///< hash of those: address and initial value

    /// Whether it has done something since that nothing undoes: blocks that it has allocated since, and freed, nobody
    /// knows of, and who is given their memory cannot tell that from memory that was never used.
    [[nodiscard]] bool have_lasted_since(const thread_effects& before) const noexcept {
        return effects - undoable != before.effects - before.undoable || blocks != before.blocks;
    }
};

/// The state of a thread at an operation, as hashes. thread_fingerprints takes them.
struct thread_fingerprint {
    /// How much of the state is hashed; hashing is expensive.
    enum class extent : std::uint8_t {
        none,    ///< compares equal to no other
        thread,  ///< the thread itself
        all,     ///< and the memory that it may read
    };

    site_id where = no_site;
    extent taken = extent::none;
    event_index event = 0;     ///< the number of the thread's events at that point
    thread_effects done;       ///< up to that point
    std::uint64_t thread = 0;  ///< hash of stack, registers and the operation's arguments
    /// Hash of the live state at the header of a loop, of what the thread has read since, and of the arguments: equal
    /// ones lead to equal states, whatever is left in dead registers and in dead parts of frames. 0: not known.
    std::uint64_t since_header = 0;
    std::uint64_t memory = 0;  ///< hash of what it may read outside its own stack
    std::uint64_t freed = 0;   ///< hash of the blocks that it knows others have freed, which it may be given
    virtual_clock clock;

    /// Whether the thread has returned to an earlier state without any effect that others could observe. Another
    /// iteration would change nothing: executions that differ only in the number of such iterations are equivalent.
    /// With all memory in the fingerprint, writes need no count: one that restores the old value is no difference.
    [[nodiscard]] bool has_come_back_to(const thread_fingerprint& before) const noexcept {
        return is_in_state_of(before) && done.effects == before.done.effects && done.locks == before.done.locks &&
               (taken == extent::thread || touched_nothing_since(before));
    }
    /// Whether it is in the same state, but for what it did to atomics and locks, and for accesses that it had not made
    /// before.
    [[nodiscard]] bool is_in_state_of(const thread_fingerprint& before) const noexcept {
        return taken != extent::none && taken == before.taken && where == before.where && is_thread_of(before) &&
               memory == before.memory && freed == before.freed && clock.is_equivalent(before.clock) &&
               !done.have_lasted_since(before.done) && (taken == extent::all || done.writes == before.done.writes);
    }
    /// Whether the thread itself is as it was, and has changed no memory: what is different others have done.
    [[nodiscard]] bool has_done_nothing_since(const thread_fingerprint& before) const noexcept {
        return is_in_state_of(before) ||
               (is_thread_of(before) && !done.have_lasted_since(before.done) && done.writes == before.done.writes);
    }
    /// Whether its stack and registers are as they were.
    [[nodiscard]] bool is_thread_of(const thread_fingerprint& before) const noexcept {
        return thread == before.thread || (since_header != 0 && since_header == before.since_header);
    }
    /// What others have changed in memory is not what the thread has come back from.
    void bring_up_to_date(std::uint64_t memory_before, std::uint64_t memory_now) noexcept {
        if (taken == extent::all && memory == memory_before) memory = memory_now;
    }
    /// Whether it has made no access since that it had not made before. Others may race with each access, and without
    /// the iteration only with the accesses made before it.
    [[nodiscard]] bool touched_nothing_since(const thread_fingerprint& before) const noexcept {
        return done.touched == before.done.touched;
    }
    /// Whether it has made no access since that it had not made since it last did anything but read atomics: by what it
    /// has told others then, these may be ordered after the accesses from before.
    [[nodiscard]] bool touched_nothing_again_since(const thread_fingerprint& before) const noexcept {
        return done.touched_again == before.done.touched_again;
    }
};

/// The newest of these visits (oldest first) that the thread has returned to, or null: that gives the shortest
/// iteration.
[[nodiscard]] inline const thread_fingerprint* last_equal(std::span<const thread_fingerprint> visits,
                                                          const thread_fingerprint& now) {
    const auto found = std::find_if(visits.rbegin(), visits.rend(),
                                    [&](const thread_fingerprint& before) { return now.has_come_back_to(before); });
    return found == visits.rend() ? nullptr : &*found;
}

}  // namespace ordeal::detail::graph
