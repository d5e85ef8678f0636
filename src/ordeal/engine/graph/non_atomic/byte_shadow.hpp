// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/view.hpp"
#include "ordeal/engine/graph/non_atomic/byte_access.hpp"
#include "ordeal/engine/graph/non_atomic/undo_log.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ordeal::detail::graph {

/// Shadow memory: for each byte of the code on trial, every access that a later one may still race with, with thread
/// and epoch (as in `object`). Stored in granules of eight bytes; exact for each byte.
class byte_shadow {
    struct granule {
        std::uint32_t generation = 0;  ///< of the last change; below `first_generation_`: of another execution
        std::uint8_t count = 0;        ///< of accesses here; `many`: they are in overflow_; `ignored`
        std::uint8_t written = 0;      ///< a bit for each byte
        std::uint8_t valid = 0;
        std::uint8_t objects = 0;
        std::uint8_t ended = 0;               ///< bytes of objects whose lifetime has ended, not written since
        std::uint8_t ended_by = 0;            ///< the thread that ended it, or the last one to end some
        std::uint8_t scopeless = 0;           ///< of the ended bytes, those of variables whose scope has ended
        bool announced = false;               ///< of the last of those: the beginning of the next scope is announced
        std::array<std::uint8_t, 4> masks{};  ///< of each access: a bit for each byte
        std::array<std::uint32_t, 4> accesses{};  ///< with many: the first is their place in overflow_
    };

public:
    using shadow_point = undo_log<granule>::point;
    using access = timed_access;

    /// Addresses here are found without a search; `blocks`: only allocated blocks are accessible there.
    void add_region(memory_range where, bool blocks) { add({.where = where, .blocks = blocks}); }
    /// As above, for stacks and thread-local variables, which exist until their thread ends.
    void add_region(const memory_of_threads& where) { add({.where = where.all, .of_each = where.of_each}); }
    /// Forgets all accesses.
    void begin_execution() noexcept;

    [[nodiscard]] shadow_point* save(snapshot& to);
    void restore(shadow_point* there, snapshot& from);
    void release(shadow_point* which) noexcept { undo_log_.release(which); }
    /// Generation numbers run out: an execution must begin before another point is saved.
    [[nodiscard]] bool used_up() const noexcept { return generation_ >= 0xf000'0000; }

    /// An access by a thread whose happens-before is `hb`.
    byte_findings note(memory_range where, const access& now, const view& hb) {
        const std::size_t first = where.address & 7;
        if (first + where.size <= 8) [[likely]] {
            return note_one(at(where.address), mask_of(first, where.size), now, hb);
        }
        return note_many(where, now, hb);
    }
    /// The end of a lifetime: a write to these bytes that keeps which of them are initialised. Nothing if the same
    /// thread has ended all of them already.
    std::optional<byte_findings> note_end(memory_range where, const access& now, const view& hb);
    /// The bytes belonged to a variable whose scope has ended. `announced`: the beginning of every scope is announced;
    /// otherwise a non-atomic write of the thread that ended the scope also begins another.
    void set_scopeless(memory_range where, bool announced);
    /// The bytes belong to a new object, which need not be written.
    void begin_anew(memory_range where);
    /// The bytes belong to a new variable, or to memory that the thread has allocated: none is initialised.
    void begin_scope(memory_range where, const access& now, const view& hb);
    /// Whether the same access, or a stronger one, was noted in that epoch or later. Not so for a read of bytes that
    /// nobody wrote: it says more than the write that their allocation was.
    [[nodiscard]] bool noted(memory_range where, const access& now);
    /// The accesses of other threads to these bytes that conflict with this one.
    void conflicting(memory_range where, const access& now, std::vector<access>& result);
    /// Whether another thread has accessed these bytes, reads included, in an epoch beyond `fork_join_hb`.
    [[nodiscard]] bool is_shared(memory_range where, int thread_id, const view& fork_join_hb);
    /// The access with which the latest note() that set `raced` raced.
    [[nodiscard]] const access& raced_with() const noexcept { return raced_with_; }
    /// From now on an access by any other thread is a race, however ordered, until the bytes are freed.
    void make_private(memory_range where, int thread_id);

    /// Allocating is a write to all of it that initialises no byte.
    void allocate(memory_range block, const access& now, const view& hb);
    /// Freeing is a write to all of it, after which it is inaccessible.
    byte_findings free(memory_range block, const access& now, const view& hb);
    void forget(memory_range where);
    /// Bytes that are uninitialised in `from` become so in `to`.
    void copy_written(std::uintptr_t to, memory_range from);
    void set_written(memory_range where);
    /// The bytes are initialised, except those whose bits are set in `without`.
    void set_written(memory_range where, std::uint32_t without);
    /// The uninitialised ones among at most 16 bytes: a bit for each.
    [[nodiscard]] std::uint32_t unwritten(memory_range where) {
        const std::size_t first = where.address & 7;
        if (first + where.size <= 8) [[likely]] {
            return unwritten_in(at(where.address), mask_of(first, where.size)) >> first;
        }
        return unwritten_of_many(where);
    }
    /// Marks bytes as belonging, or no longer belonging, to an atomic or a lock.
    void set_object(memory_range where, bool is_object);

    /// The memory of a thread that ends, with happens-before `hb`, becomes inaccessible. Returns the part of it that
    /// another thread has accessed unordered; raced_with() is that access.
    std::optional<memory_range> end_thread(int thread_id, const view& hb);
    /// It is accessible again, for another thread with that id: what was accessed is written, as allocating does.
    void begin_thread(int thread_id, const access& now, const view& hb);

private:
    struct new_region {
        memory_range where;
        bool blocks = false;
        std::size_t of_each = 0;
    };
    // The part of a region that belongs to one thread.
    struct part {
        std::uint32_t generation = 0;  ///< the rest belongs to the execution with this first generation
        bool ended = false;
        std::vector<std::uint32_t> known;  ///< granules that were accessed
    };
    struct region {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        granule* granules = nullptr;
        bool blocks = false;
        std::vector<part> parts;     ///< one per thread; empty: the region is not divided
        std::size_t parts_used = 0;  ///< parts beyond are unused
        int part_shift = 0;          ///< log2 of the granules of a part
    };
    static constexpr std::uint8_t many = 0xff;
    static constexpr std::uint8_t ignored = 0xfe;
    static constexpr event_index never_over = 0x7f'ffff;  ///< epoch of an access that nothing is ever ordered after
    static_assert(max_events < never_over);
    // An access as a word: 23 bits epoch, and 9 bits for thread id and kind.
    static constexpr int bits_of_access = 9;
    static_assert(max_thread_ids * byte_accesses <= 1U << bits_of_access);
    [[nodiscard]] static constexpr std::uint32_t word_of(const access& now) noexcept {
        const auto how = static_cast<std::uint32_t>(now.how);
        return now.epoch << bits_of_access | (now.thread_id * std::uint32_t{byte_accesses} + how);
    }
    [[nodiscard]] static constexpr access access_of(std::uint32_t word) noexcept {
        const std::uint32_t which = word & ((1U << bits_of_access) - 1);
        return {static_cast<byte_access>(which % byte_accesses), static_cast<std::uint8_t>(which / byte_accesses),
                word >> bits_of_access};
    }
    // One of many accesses to a granule.
    struct overflowing {
        std::uint32_t word;
        std::uint32_t mask;
    };
    [[nodiscard]] static constexpr std::uint8_t mask_of(std::size_t first, std::size_t size) noexcept {
        return static_cast<std::uint8_t>(((1u << size) - 1) << first);
    }

    [[nodiscard]] granule* find(std::uintptr_t address);
    [[nodiscard]] region* region_of(std::uintptr_t address) noexcept {
        for (region& each : regions_) {
            if (address - each.begin < each.end - each.begin) [[likely]]
                return &each;
        }
        return nullptr;
    }
    // Reset if it is of another execution; about to be changed.
    [[nodiscard]] granule& renewed(granule& found, region& in) {
        if (found.generation != generation_) [[unlikely]]
            renew(found, in);
        return found;
    }
    [[nodiscard]] granule& at(std::uintptr_t address) {
        region* const in = region_of(address);
        if (in == nullptr) [[unlikely]]
            return elsewhere(address);
        return renewed(in->granules[(address - in->begin) / 8], *in);
    }
    void add(const new_region& what);
    void renew(granule& stale, region& in);
    void make_new(granule& stale, std::uint8_t valid) const noexcept;
    void note_change(granule& changing) {
        if (undo_log_.has_room()) [[likely]]
            return undo_log_.note(changing);
        const harness_scope harness;
        undo_log_.note(changing);
    }
    [[nodiscard]] bool of_this_execution(std::uint32_t generation) const noexcept {
        return generation >= first_generation_;
    }
    [[nodiscard]] part& part_of(region& all, std::size_t thread_id) noexcept;
    // Of a granule that is not `ignored` and belongs to this execution.
    template <class Do>
    void for_each_access(granule& here, Do what) {
        if (here.count == many) [[unlikely]] {
            for (overflowing& each : overflow_[here.accesses[0]]) {
                auto mask = static_cast<std::uint8_t>(each.mask);
                what(each.word, mask);
                each.mask = mask;
            }
            return;
        }
        for (std::size_t i = 0; i < here.count; ++i) what(here.accesses[i], here.masks[i]);
    }
    [[nodiscard]] unsigned unordered(granule& here, int thread_id, const view& hb);
    granule& elsewhere(std::uintptr_t address);
    byte_findings note_one(granule& here, std::uint8_t mask, const access& now, const view& hb) {
        byte_findings result;
        if (here.count == ignored) [[unlikely]]
            return result;
        result.outside = (here.valid & mask) != mask;
        result.on_object = (here.objects & mask) != 0;
        if (writes(now.how)) {
            here.written |= mask;
        } else {
            result.unwritten = (here.written & mask) == 0;
        }
        if ((here.ended & mask) != 0) [[unlikely]]
            meet_end(here, mask, now, result);
        const std::uint32_t word = word_of(now);
        if (subsumes(here, word, mask, hb)) return result;
        // Most accesses are repetitions.
        if (here.count != many) {
            for (unsigned i = 0; i < here.count; ++i) {
                if (here.accesses[i] == word && (here.masks[i] | mask) == here.masks[i]) return result;
            }
        }
        result.raced = add(here, word, mask, hb);
        return result;
    }
    // Whether this access alone need be kept, by a quick check; if so it is: see add().
    static bool subsumes(granule& here, std::uint32_t word, std::uint8_t mask, const view& hb) noexcept {
        if (here.count > 1) return false;
        if (here.count == 1) {
            const access now = access_of(word);
            const access known = access_of(here.accesses[0]);
            const bool covers = writes_plainly(now.how) || now.how == known.how;
            const bool ordered = known.thread_id == now.thread_id || hb[known.thread_id] >= known.epoch;
            const bool whole = (here.masks[0] & ~mask) == 0;
            if (!covers || !ordered || !whole || known.epoch == never_over) return false;
        }
        here.accesses[0] = word;
        here.masks[0] = mask;
        here.count = 1;
        return true;
    }
    static void meet_end(granule& here, std::uint8_t mask, const access& now, byte_findings& result) noexcept;
    [[nodiscard]] static std::uint32_t unwritten_in(const granule& here, std::uint8_t mask) noexcept {
        return here.count == ignored ? 0 : static_cast<std::uint32_t>(mask & ~here.written);
    }
    [[nodiscard]] std::uint32_t unwritten_of_many(memory_range where);
    byte_findings note_many(memory_range where, const access& now, const view& hb);
    bool add(granule& here, std::uint32_t word, std::uint8_t mask, const view& hb);
    template <class Which>
    void leave_out(granule& here, std::uint8_t mask, Which which);
    void keep(granule& here, std::size_t kept, std::uint32_t word, std::uint8_t mask);
    template <class Do>
    void for_each(memory_range where, Do what);

    std::vector<region> regions_;
    std::unordered_map<std::uintptr_t, granule> elsewhere_;
    std::vector<std::vector<overflowing>> overflow_;
    std::size_t overflow_used_ = 0;
    std::uint32_t generation_ = 0;        ///< since the beginning of the execution, or the last saved point
    std::uint32_t first_generation_ = 0;  ///< of this execution
    bool kept_ = false;                   ///< some point of this execution was saved
    bool some_handed_over_ = false;       ///< in this execution, or in one with which it shares its beginning
    undo_log<granule> undo_log_;
    access raced_with_;
};

}  // namespace ordeal::detail::graph
