// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/scheduling_points.hpp"
#include "ordeal/engine/graph/non_atomic/access_count.hpp"
#include "ordeal/engine/graph/non_atomic/byte_shadow.hpp"
#include "ordeal/engine/graph/non_atomic/memory_names.hpp"
#include "ordeal/engine/graph/non_atomic/non_atomic_recorder.hpp"
#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"
#include "ordeal/engine/graph/non_atomic/past_waits.hpp"
#include "ordeal/engine/graph/non_atomic/used_orders.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ordeal::detail::graph {

/// Non-atomic memory of instrumented code: races, freed memory, uninitialised bytes, and the atomics and locks that
/// begin and end in it. Of the rest of the engine it needs happens-before, the objects, and a way to fail.
class non_atomic_memory : run_context {
public:
    non_atomic_memory(const run_context& of, object_lifetimes& lifetimes, notifications& notifications,
                      used_orders& used_orders)
        : run_context(of), object_lifetimes_(lifetimes), notifications_(notifications), used_orders_(used_orders) {}

    /// Before the first run of instrumented code.
    void add_regions();
    void begin();

    // The operations of instrumented_runtime.
    void read(memory_range where, const code_location& at) { note(where, byte_access::read, at); }
    void write(memory_range where, const code_location& at) {
        note_write_of(where);
        note(where, byte_access::write, at);
    }
    void copy(std::uintptr_t to, memory_range from, const code_location& at);
    std::uint32_t read_for_copy(memory_range where, const code_location& at);
    [[nodiscard]] std::uint32_t uninitialised_bytes(memory_range where) {
        const std::uint32_t found = shadow_.unwritten(where);
        return found == 0 ? 0 : still_unwritten(where, found);
    }
    void set_uninitialised(memory_range where, std::uint32_t without) { shadow_.set_written(where, without); }
    void copy_initialisation(std::uintptr_t to, memory_range from) { shadow_.copy_written(to, from); }
    void use_uninitialised(memory_range where, const code_location& at);
    void use(memory_range where, const code_location& at);
    void end(memory_range where, const code_location& at) { end(where, destruction, at); }
    void begin_scope(memory_range where);
    /// `announced`: the beginning of every scope is announced.
    void end_scope(memory_range where, bool announced, const code_location& at);
    /// Exceptions have no blocks; no other will be at this address.
    void free_exception(memory_range where);
    void fresh(memory_range where);
    void touch_atomic(memory_range where, bool writes, const code_location& at);
    void begin_synchroniser(const synchroniser& what, const code_location& at);
    void end_synchroniser(const synchroniser& what, const code_location& at);
    void touch_waiting_place(memory_range where, object_kind kind, const code_location& at);

    /// The write of a compare-exchange, which is known to succeed only after its event.
    void note_stored(const atomic_access& access);
    /// The scenario object is constructed in these bytes.
    void begin_object(memory_range where);
    void allocate(memory_range block) { shadow_.allocate(block, access_now(byte_access::allocation), run_.self().hb); }
    /// Reused memory is written by the allocation: an access through an old pointer races with that.
    void reuse(memory_range block) { (void)note_access(block, byte_access::write); }
    void free(memory_range block);
    /// The running thread has finished: its stack and its thread-local variables end.
    void end_locals();
    /// The running thread begins under the id of one that is over: its stack and its thread-local variables are new.
    void begin_reusing_id();

    /// Saves the shadow at a point to which the execution may be rewound.
    [[nodiscard]] byte_shadow::shadow_point* save(snapshot& to) {
        accesses_.save(to);
        return shadow_.save(to);
    }
    void restore(byte_shadow::shadow_point* there, snapshot& from) {
        accesses_.restore(from);
        past_waits_.forget();
        shadow_.restore(there, from);
    }
    [[nodiscard]] byte_shadow& shadow() noexcept { return shadow_; }

    [[nodiscard]] non_atomic_recorder& steps() noexcept { return trace_; }
    [[nodiscard]] std::uint64_t accesses() const noexcept { return accesses_.total(); }

private:
    /// What a report says of an operation that others may conflict with.
    struct event_words {
        const char* happens;  ///< "is read"
        const char* noun;     ///< "the read"
    };
    static constexpr event_words destruction{"is destroyed", "the destruction"};

    [[nodiscard]] byte_shadow::access access_now(byte_access how) const noexcept {
        return {how, static_cast<std::uint8_t>(run_.thread_id), run_.epoch()};
    }
    byte_findings note_access(memory_range where, byte_access how) {
        if (run_.self().notes_accesses()) [[unlikely]]
            note_touched(where, how);
        if (how == byte_access::read && run_.self().since_header != 0) [[unlikely]]
            note_input(where);
        if (run_.self().newest_lock.only_reads) note_behind_lock(where, how);
        if (run_.some_waited) [[unlikely]]
            note_seen(where);
        note_past_an_iteration(where, how);
        if (used_orders_.wanted()) [[unlikely]]
            note_handed(where, how);
        if (!search_facts_.threads_shared_object && !run_.single_threaded()) [[unlikely]]
            look_for_meeting(where, how);
        if (writes(how) && !is_memory_on_trial(where.address)) [[unlikely]]
            instrumented().note_global_write(where);
        return shadow_.note(where, access_now(how), run_.self().hb);
    }
    void note_touched(memory_range where, byte_access how);
    void note_behind_lock(memory_range where, byte_access how) noexcept;
    void note_seen(memory_range where);
    void note_handed(memory_range where, byte_access how);
    void look_for_meeting(memory_range where, byte_access how);
    void note(memory_range where, byte_access how, const code_location& at);
    void note_write_of(memory_range where);
    void note_input(memory_range where);
    void note_past_an_iteration(memory_range where, byte_access how) {
        if ((run_.accesses_in_loops || run_.some_waited) && !run_.self().hb.includes(run_.self().porf)) [[unlikely]]
            compare_with_left_out(where, how);
    }
    void compare_with_left_out(memory_range where, byte_access how);
    void end(memory_range where, const event_words& how, const code_location& at);
    void end_storage(memory_range where, bool announced);
    void require_harmless(memory_range where, byte_access how);
    /// Whether a change at this address is seen when states are compared.
    [[nodiscard]] bool compared(std::uintptr_t address) const noexcept;
    [[nodiscard]] std::uint32_t still_unwritten(memory_range where, std::uint32_t which);
    [[nodiscard]] bool is_local(std::uintptr_t address) const;
    void explain(const byte_findings& found, memory_range where, byte_access how, const code_location& at);
    [[noreturn]] void fail(violation_kind kind, memory_range where, std::string_view words, const code_location& at);
    [[nodiscard]] std::string after_unordered_end(std::string_view end, memory_range where) const;
    /// Fails with the access that the latest one raced with.
    [[noreturn]] void fail_race(violation_kind kind, memory_range where, const event_words& what,
                                const code_location& at);
    [[nodiscard]] bool holds_what_was_left(object& of, const footprint& bytes) const;
    [[noreturn]] void meet_another_size(memory_range where, const code_location& at);
    object& begin_object_at(memory_range where, object_kind kind, std::uint64_t initial);
    object& replace_synchroniser(const synchroniser& what, const code_location& at);
    void require_not_destroyed(const object* known, memory_range where, const char* happens, const code_location& at);
    void end_objects(memory_range where, const code_location* at = nullptr);
    /// Fails if an operation that needs an object finds one whose lifetime another thread has ended.
    void require_not_ended(memory_range where, const code_location& at);
    /// Fails if the bytes belong to a variable whose scope has ended.
    void require_scope(memory_range where, const code_location& at);
    [[nodiscard]] bool is_below_all_frames(std::uintptr_t address, const code_location& at) const noexcept;

    object_lifetimes& object_lifetimes_;
    notifications& notifications_;
    used_orders& used_orders_;
    access_count accesses_{*this};
    past_waits past_waits_{run_};
    memory_names names_{fibers_};
    non_atomic_recorder trace_{run_, recorder_, names_};
    byte_shadow shadow_;
    bool scopes_are_told_ = false;  ///< by the compiler plugin
    std::vector<byte_shadow::access> earlier_;
};

}  // namespace ordeal::detail::graph
