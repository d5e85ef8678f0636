// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace ordeal::graph {

/// What a thread has done so far that others could see.
struct thread_effects {
    std::uint64_t effects = 0;  ///< other than those below
    std::uint64_t locks = 0;    ///< taken and given back, other than by a wait
    std::uint64_t writes = 0;   ///< of plain bytes that are not on its own stack
    std::uint64_t touched = 0;  ///< plain bytes, where states are compared, that it had not accessed so before
    std::uint64_t begun = 0;    ///< lives of objects; each is an effect as well
    std::uint64_t lives = 0;    ///< hash of those: where, and with which value
};

/// A thread at an operation: where it stands, and what it goes on from. thread_fingerprints takes them.
struct thread_fingerprint {
    /// How much of the state is in it; taking it is dear.
    enum class extent : std::uint8_t {
        place,   ///< nothing: it equals no other
        thread,  ///< the thread itself
        all,     ///< and the memory that it may read
    };

    site_id where = no_site;
    extent taken = extent::place;
    std::uint16_t event = 0;   ///< the number of the thread's events then
    thread_effects done;       ///< until then
    std::uint64_t thread = 0;  ///< hash: its stack and registers, and what the operation is given
    std::uint64_t memory = 0;  ///< hash: what it may read, apart from its own stack
    std::uint64_t freed = 0;   ///< hash: blocks of which it knows that they are freed, so that it may be given them
    virtual_clock clock;

    /// Whether the thread has come back: it is in the state in which it was, and has done nothing since that others could
    /// see. Another iteration would change nothing: executions that differ in the number of such iterations alone are one.
    [[nodiscard]] bool has_come_back_to(const thread_fingerprint& before) const noexcept {
        return taken != extent::place && taken == before.taken && where == before.where && thread == before.thread &&
               memory == before.memory && freed == before.freed && clock.is_equivalent(before.clock) &&
               nothing_done_since(before);
    }

private:
    // What a write left in memory is compared with the rest of it: one that put back what was there is none. But others may race
    // with each access, and without the iteration only with those that were made before.
    [[nodiscard]] bool nothing_done_since(const thread_fingerprint& before) const noexcept {
        return done.effects == before.done.effects && done.locks == before.done.locks &&
               (taken == extent::all ? done.touched == before.done.touched : done.writes == before.done.writes);
    }
};

/// The newest of some visits, oldest first, that a thread has come back to, of those that `accepts` it; or null. The newest:
/// an iteration is no longer than it has to be.
template <class Condition>
[[nodiscard]] const thread_fingerprint* last_equal(std::span<const thread_fingerprint> visits,
                                                   const thread_fingerprint& now, Condition accepts) {
    if (now.taken == thread_fingerprint::extent::place) return nullptr;
    const auto found = std::find_if(visits.rbegin(), visits.rend(), [&](const thread_fingerprint& before) {
        return now.has_come_back_to(before) && accepts(before);
    });
    return found == visits.rend() ? nullptr : &*found;
}

}  // namespace ordeal::graph
