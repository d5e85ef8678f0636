// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/byte_shadow.hpp"

#include "ordeal/runtime/instrumented_front_end.hpp"

#include <sys/mman.h>

#include <bit>
#include <cerrno>
#include <system_error>

namespace ordeal::detail::graph {

namespace {

// Two accesses conflict if one of them writes, and not both are atomic ([intro.races]/21).
constexpr bool conflict(byte_access a, byte_access b) {
    const auto atomic = [](byte_access how) {
        return how == byte_access::atomic_read || how == byte_access::atomic_write;
    };
    return (writes(a) || writes(b)) && !(atomic(a) && atomic(b));
}

// Whether everything that conflicts with the earlier access conflicts with the later one too. Then, if the earlier one
// happens before the later one, it need not be kept: whatever races with it races with the later one, or is ordered
// after the earlier one through it.
constexpr bool covers(byte_access later, byte_access earlier) {
    for (unsigned other = 0; other < byte_accesses; ++other) {
        const auto how = static_cast<byte_access>(other);
        if (conflict(earlier, how) && !conflict(later, how)) return false;
    }
    return true;
}
static_assert(covers(byte_access::write, byte_access::read) && covers(byte_access::read, byte_access::atomic_read));
static_assert(covers(byte_access::write, byte_access::allocation) &&
              covers(byte_access::allocation, byte_access::write));
static_assert(!covers(byte_access::atomic_write, byte_access::read) &&
              !covers(byte_access::read, byte_access::atomic_write));

}  // namespace

void byte_shadow::add(const new_region& what) {
    const memory_range where = what.where;
    if (where.size == 0) return;
    const std::size_t size = where.size / 8 * sizeof(granule);
    void* const got = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no memory for shadow");
    region& added =
        regions_.emplace_back(where.address, where.address + where.size, static_cast<granule*>(got), what.blocks);
    if (what.of_each == 0) return;
    added.parts.resize(where.size / what.of_each);
    added.part_shift = std::countr_zero(what.of_each / 8);
}

void byte_shadow::begin_execution() noexcept {
    overflow_used_ = 0;
    undo_log_.clear();
    kept_ = false;
    some_handed_over_ = false;
    ++generation_;
    if (used_up()) {
        // Old generation numbers would become valid again.
        for (region& each : regions_) {
            ::madvise(each.granules, (each.end - each.begin) / 8 * sizeof(granule), MADV_DONTNEED);
            for (part& of : each.parts) of.generation = 0;
        }
        elsewhere_.clear();
        generation_ = 1;
    }
    first_generation_ = generation_;
    for (region& each : regions_) each.parts_used = 0;
}

byte_shadow::shadow_point* byte_shadow::save(snapshot& to) {
    ++generation_;
    kept_ = true;
    to.put(overflow_used_);
    for (std::size_t i = 0; i < overflow_used_; ++i) to.put(overflow_[i]);
    for (region& each : regions_) {
        to.put(each.parts_used);
        for (std::size_t i = 0; i < each.parts_used; ++i) {
            const part& of = part_of(each, i);
            to.put(of.ended);
            to.put(of.known);
        }
    }
    return undo_log_.keep();
}

void byte_shadow::restore(shadow_point* there, snapshot& from) {
    ++generation_;
    undo_log_.go_to(there);
    from.take(overflow_used_);
    if (overflow_used_ > overflow_.size()) overflow_.resize(overflow_used_);
    for (std::size_t i = 0; i < overflow_used_; ++i) from.take(overflow_[i]);
    for (region& each : regions_) {
        for (std::size_t i = 0; i < each.parts_used; ++i) each.parts[i].generation = 0;
        each.parts_used = 0;
        std::size_t count = 0;
        from.take(count);
        for (std::size_t i = 0; i < count; ++i) {
            part& of = part_of(each, i);
            from.take(of.ended);
            from.take(of.known);
        }
    }
}

void byte_shadow::make_new(granule& stale, std::uint8_t valid) const noexcept {
    stale.generation = generation_;
    stale.count = 0;
    stale.objects = stale.ended = stale.scopeless = 0;
    stale.written = stale.valid = valid;
}

// The granule was not accessed in this execution, or not since the last saved point.
void byte_shadow::renew(granule& stale, region& in) {
    if (kept_) note_change(stale);
    if (of_this_execution(stale.generation)) {
        stale.generation = generation_;
        return;
    }
    if (in.parts.empty()) return make_new(stale, in.blocks ? std::uint8_t{0} : std::uint8_t{0xff});
    const auto index = static_cast<std::size_t>(&stale - in.granules);
    part& of = part_of(in, index >> in.part_shift);
    make_new(stale, of.ended ? std::uint8_t{0} : std::uint8_t{0xff});
    const harness_scope harness;
    of.known.push_back(static_cast<std::uint32_t>(index));
}

byte_shadow::part& byte_shadow::part_of(region& all, std::size_t thread_id) noexcept {
    part& found = all.parts[thread_id];
    all.parts_used = std::max(all.parts_used, thread_id + 1);
    if (found.generation != first_generation_) {
        found.generation = first_generation_;
        found.ended = false;
        found.known.clear();
    }
    return found;
}

// The bytes accessed by other threads, unordered before `hb`, as a mask.
unsigned byte_shadow::unordered(granule& here, int thread_id, const view& hb) {
    unsigned result = 0;
    for_each_access(here, [&](std::uint32_t word, std::uint8_t mask) {
        const access known = access_of(word);
        if (known.thread_id == thread_id || hb[known.thread_id] >= known.epoch || mask == 0) return;
        result = mask;
        raced_with_ = known;
    });
    return result;
}

std::optional<memory_range> byte_shadow::end_thread(int thread_id, const view& hb) {
    std::optional<memory_range> raced;
    for (region& each : regions_) {
        if (each.parts.empty()) continue;
        part& own = part_of(each, static_cast<std::size_t>(thread_id));
        own.ended = true;
        for (const std::uint32_t index : own.known) {
            granule& here = each.granules[index];
            if (here.generation != generation_) renew(here, each);
            here.valid = 0;
            const unsigned mask = unordered(here, thread_id, hb);
            if (mask == 0 || raced) continue;
            const auto first = static_cast<unsigned>(std::countr_zero(mask));
            raced = {each.begin + std::uintptr_t{index} * 8 + first, static_cast<std::size_t>(std::popcount(mask))};
        }
    }
    return raced;
}

void byte_shadow::begin_thread(int thread_id, const access& now, const view& hb) {
    for (region& each : regions_) {
        if (each.parts.empty()) continue;
        part& own = part_of(each, static_cast<std::size_t>(thread_id));
        own.ended = false;
        for (const std::uint32_t index : own.known) {
            granule& here = each.granules[index];
            if (here.generation != generation_) renew(here, each);
            here.objects = here.ended = here.scopeless = 0;
            here.written = here.valid = 0xff;
            if (here.count != ignored) (void)add(here, word_of(now), 0xff, hb);
        }
    }
}

byte_shadow::granule& byte_shadow::elsewhere(std::uintptr_t address) {
    const harness_scope harness;
    granule& found = elsewhere_[address / 8];
    if (found.generation == generation_) return found;
    if (kept_) undo_log_.note(found);
    if (of_this_execution(found.generation)) {
        found.generation = generation_;
        return found;
    }
    make_new(found, is_null_page(address) ? std::uint8_t{0} : std::uint8_t{0xff});
    if (instrumented().is_foreign_global(address)) found.count = ignored;
    return found;
}

byte_findings byte_shadow::note_many(memory_range where, const access& now, const view& hb) {
    byte_findings all;
    all.unwritten = where.size > 0;
    for_each(where, [&](granule& here, std::uint8_t mask) {
        const byte_findings one = note_one(here, mask, now, hb);
        all.raced |= one.raced;
        all.outside |= one.outside;
        all.on_object |= one.on_object;
        all.ended |= one.ended;
        all.scopeless |= one.scopeless;
        all.unwritten &= one.unwritten;
    });
    return all;
}

// A write begins a new object, and so does any access of the thread that ended the old one.
void byte_shadow::meet_end(granule& here, std::uint8_t mask, const access& now, byte_findings& result) noexcept {
    const bool begins = !here.announced && here.ended_by == now.thread_id && now.how == byte_access::write;
    result.scopeless = !begins && (here.ended & here.scopeless & mask) != 0;
    result.ended = result.scopeless || here.ended_by != now.thread_id;
    if (result.scopeless) return;  // a variable has an owner, which begins it
    if (!result.ended || now.how == byte_access::write) here.ended &= static_cast<std::uint8_t>(~mask);
}

std::optional<byte_findings> byte_shadow::note_end(memory_range where, const access& now, const view& hb) {
    bool first = false;
    byte_findings all;
    for_each(where, [&](granule& here, std::uint8_t mask) {
        if (here.count == ignored) return;
        mask &= here.valid;
        if (mask == 0 || ((here.ended & mask) == mask && here.ended_by == now.thread_id)) return;
        first = true;
        const bool seen_of_nobody = (here.objects & mask) == 0 && here.ended == 0;
        here.scopeless &= static_cast<std::uint8_t>(~mask);
        if (seen_of_nobody && subsumes(here, word_of(now), mask, hb)) {
            here.ended = mask;
            here.ended_by = now.thread_id;
            return;
        }
        const std::uint8_t written_before = here.written;
        const byte_findings one = note_one(here, mask, now, hb);
        all.raced |= one.raced;
        all.on_object |= one.on_object;
        all.ended |= one.ended;
        here.written = written_before;
        here.ended |= mask;
        here.ended_by = now.thread_id;
    });
    if (!first) return std::nullopt;
    return all;
}

void byte_shadow::set_scopeless(memory_range where, bool announced) {
    for_each(where, [&](granule& here, std::uint8_t mask) {
        here.scopeless |= here.ended & mask;
        here.announced = announced;
    });
}

void byte_shadow::begin_scope(memory_range where, const access& now, const view& hb) {
    for_each(where, [&](granule& here, std::uint8_t mask) {
        here.written &= static_cast<std::uint8_t>(~mask);
        here.ended &= static_cast<std::uint8_t>(~mask);
        if (here.count == ignored) return;
        const std::uint32_t word = word_of(now);
        if (!subsumes(here, word, mask, hb)) (void)add(here, word, mask, hb);
    });
}

// Most bytes were not accessed in this execution.
void byte_shadow::begin_anew(memory_range where) {
    for (std::uintptr_t address = where.address; address < where.address + where.size;) {
        const std::size_t first = address & 7;
        const std::size_t size = std::min<std::size_t>(8 - first, where.address + where.size - address);
        const granule* const here = find(address);
        if (here != nullptr && of_this_execution(here->generation) && here->ended != 0) {
            at(address).ended &= static_cast<std::uint8_t>(~mask_of(first, size));
        }
        address += size;
    }
}

byte_shadow::granule* byte_shadow::find(std::uintptr_t address) {
    for (const region& each : regions_) {
        if (address - each.begin < each.end - each.begin) return &each.granules[(address - each.begin) / 8];
    }
    const auto found = elsewhere_.find(address / 8);
    return found == elsewhere_.end() ? nullptr : &found->second;
}

// Returns whether it races with a recorded access.
bool byte_shadow::add(granule& here, std::uint32_t word, std::uint8_t mask, const view& hb) {
    const access now = access_of(word);
    bool raced = false;
    // Whether the earlier access is kept, for the bytes that are left.
    const auto meet = [&](std::uint32_t earlier, std::uint8_t& of) {
        if ((of & mask) == 0) return of != 0;
        const access known = access_of(earlier);
        const bool ordered = known.thread_id == now.thread_id || hb[known.thread_id] >= known.epoch;
        if (!ordered && conflict(known.how, now.how)) {
            raced = true;
            raced_with_ = known;
        }
        if (ordered && covers(now.how, known.how) && known.epoch != never_over) of &= static_cast<std::uint8_t>(~mask);
        return of != 0;
    };
    std::size_t kept = 0;
    if (here.count == many) {
        const harness_scope harness;
        std::vector<overflowing>& list = overflow_[here.accesses[0]];
        for (const overflowing each : list) {
            auto of = static_cast<std::uint8_t>(each.mask);
            if (meet(each.word, of)) list[kept++] = {each.word, of};
        }
        list.resize(kept);
        list.push_back({word, mask});
        return raced;
    }
    for (std::size_t i = 0; i < here.count; ++i) {
        const std::uint32_t earlier = here.accesses[i];
        std::uint8_t of = here.masks[i];
        if (!meet(earlier, of)) continue;
        here.accesses[kept] = earlier;
        here.masks[kept++] = of;
    }
    keep(here, kept, word, mask);
    return raced;
}

// One more than the `kept` first ones.
void byte_shadow::keep(granule& here, std::size_t kept, std::uint32_t word, std::uint8_t mask) {
    if (kept < here.accesses.size()) {
        here.accesses[kept] = word;
        here.masks[kept] = mask;
        here.count = static_cast<std::uint8_t>(kept + 1);
        return;
    }
    const harness_scope harness;
    if (overflow_used_ == overflow_.size()) overflow_.emplace_back();
    std::vector<overflowing>& list = overflow_[overflow_used_];
    list.clear();
    for (std::size_t i = 0; i < kept; ++i) list.push_back({here.accesses[i], here.masks[i]});
    list.push_back({word, mask});
    here.count = many;
    here.accesses[0] = static_cast<std::uint32_t>(overflow_used_++);
}

// Of the accesses that `which` selects, these bytes are forgotten.
template <class Which>
void byte_shadow::leave_out(granule& here, std::uint8_t mask, Which which) {
    for_each_access(here, [&](std::uint32_t word, std::uint8_t& of) {
        if (which(access_of(word))) of &= static_cast<std::uint8_t>(~mask);
    });
}

template <class Do>
void byte_shadow::for_each(memory_range where, Do what) {
    const std::uintptr_t end = where.address + where.size;
    std::uintptr_t address = where.address;
    while (address < end) {
        region* const in = region_of(address);
        const std::uintptr_t stop = in == nullptr ? address + 1 : std::min(end, in->end);
        granule* here = in == nullptr ? &elsewhere(address) : &in->granules[(address - in->begin) / 8];
        while (address < stop) {
            const std::size_t first = address & 7;
            const std::size_t size = std::min<std::size_t>(8 - first, end - address);
            what(in == nullptr ? *here : renewed(*here, *in), mask_of(first, size));
            address += size;
            ++here;
        }
    }
}

bool byte_shadow::noted(memory_range where, const access& now) {
    bool all = true;
    for_each(where, [&](granule& here, std::uint8_t mask) {
        if (here.count == ignored) return;
        if (!writes(now.how) && (here.written & mask) == 0) all = false;
        for_each_access(here, [&](std::uint32_t word, std::uint8_t of) {
            const access known = access_of(word);
            if (known.thread_id == now.thread_id && known.epoch >= now.epoch && covers(known.how, now.how)) {
                mask &= static_cast<std::uint8_t>(~of);
            }
        });
        all &= mask == 0;
    });
    return all;
}

void byte_shadow::conflicting(memory_range where, const access& now, std::vector<access>& result) {
    result.clear();
    for_each(where, [&](granule& here, std::uint8_t mask) {
        if (here.count == ignored) return;
        for_each_access(here, [&](std::uint32_t word, std::uint8_t of) {
            const access known = access_of(word);
            const bool others = known.thread_id != now.thread_id && (of & mask) != 0 && known.epoch != never_over;
            if (others && conflict(known.how, now.how)) result.push_back(known);
        });
    });
}

// An access that was dropped happens before one that is kept. If creating and joining threads orders the two, the later
// one stands for both; if not, their order is due to an object that both threads have accessed.
bool byte_shadow::is_shared(memory_range where, int thread_id, const view& fork_join_hb) {
    bool shared = false;
    for_each(where, [&](granule& here, std::uint8_t mask) {
        if (here.count == ignored) return;
        for_each_access(here, [&](std::uint32_t word, std::uint8_t of) {
            const access known = access_of(word);
            const bool others = known.thread_id != thread_id && (of & mask) != 0 && known.epoch != never_over;
            shared |= others && fork_join_hb[known.thread_id] < known.epoch;
        });
    });
    return shared;
}

void byte_shadow::make_private(memory_range where, int thread_id) {
    some_handed_over_ = true;
    const access always{byte_access::write, static_cast<std::uint8_t>(thread_id), never_over};
    for_each(where, [&](granule& here, std::uint8_t mask) {
        if (here.count == ignored) return;
        leave_out(here, mask, [](const access&) { return true; });
        (void)add(here, word_of(always), mask, {});
    });
}

void byte_shadow::allocate(memory_range block, const access& now, const view& hb) {
    for_each(block, [&](granule& here, std::uint8_t mask) {
        here.valid |= mask;
        here.written &= static_cast<std::uint8_t>(~mask);
        here.ended &= static_cast<std::uint8_t>(~mask);
        if (here.count == ignored) return;
        const std::uint32_t word = word_of(now);
        if (!subsumes(here, word, mask, hb)) (void)add(here, word, mask, hb);
    });
}

byte_findings byte_shadow::free(memory_range block, const access& now, const view& hb) {
    byte_findings all;
    for_each(block, [&](granule& here, std::uint8_t mask) {
        all.raced |= note_one(here, mask, now, hb).raced;
        here.valid &= static_cast<std::uint8_t>(~mask);
        here.objects &= static_cast<std::uint8_t>(~mask);
        if (!some_handed_over_ || here.count == ignored) return;
        leave_out(here, mask, [](const access& known) { return known.epoch == never_over; });
    });
    return all;
}

void byte_shadow::forget(memory_range where) {
    for_each(where, [&](granule& here, std::uint8_t mask) {
        if (here.count == ignored) return;
        if (mask == 0xff) {
            here.count = 0;
        } else {
            leave_out(here, mask, [](const access&) { return true; });
        }
        here.written |= mask;
        here.objects &= static_cast<std::uint8_t>(~mask);
        here.ended &= static_cast<std::uint8_t>(~mask);
    });
}

void byte_shadow::copy_written(std::uintptr_t to, memory_range from) {
    // Usually whole objects, and few of them: byte by byte is fast enough. Backward if the ranges overlap that way.
    const bool backward = to > from.address && to < from.address + from.size;
    for (std::size_t i = 0; i < from.size; ++i) {
        const std::size_t offset = backward ? from.size - 1 - i : i;
        const std::uintptr_t source = from.address + offset;
        const std::uintptr_t target = to + offset;
        const bool written = (at(source).written >> (source & 7) & 1) != 0;
        const auto bit = static_cast<std::uint8_t>(1u << (target & 7));
        granule& here = at(target);
        here.written = static_cast<std::uint8_t>(written ? here.written | bit : here.written & ~bit);
    }
}

void byte_shadow::set_written(memory_range where) {
    for_each(where, [](granule& here, std::uint8_t mask) { here.written |= mask; });
}

void byte_shadow::set_written(memory_range where, std::uint32_t without) {
    std::uint32_t offset = 0;
    for_each(where, [&](granule& here, std::uint8_t mask) {
        const int first = std::countr_zero(mask);
        const auto left = static_cast<std::uint8_t>((offset < 32 ? without >> offset : 0) << first & mask);
        here.written = static_cast<std::uint8_t>((here.written | mask) & ~left);
        offset += static_cast<std::uint32_t>(std::popcount(mask));
    });
}

std::uint32_t byte_shadow::unwritten_of_many(memory_range where) {
    std::uint32_t result = 0;
    std::uint32_t offset = 0;
    for_each(where, [&](granule& here, std::uint8_t mask) {
        if (offset < 32) result |= unwritten_in(here, mask) >> std::countr_zero(mask) << offset;
        offset += static_cast<std::uint32_t>(std::popcount(mask));
    });
    return result;
}

void byte_shadow::set_object(memory_range where, bool is_object) {
    for_each(where, [&](granule& here, std::uint8_t mask) {
        here.objects = static_cast<std::uint8_t>(is_object ? here.objects | mask : here.objects & ~mask);
    });
}

}  // namespace ordeal::detail::graph
