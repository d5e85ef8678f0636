// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumented code does to bytes, and the atomics and locks that begin and end among them.
#include "ordeal/engine/graph/conditions.hpp"
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/engine/graph/locations.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>
#include <cstring>

namespace ordeal::graph {

namespace {

const char* words_for(byte_access how) {
    switch (how) {
        case byte_access::atomic_read: return "an atomic read";
        case byte_access::read: return "a read";
        case byte_access::atomic_write: return "an atomic write";
        case byte_access::write: break;
    }
    return "a write";
}

}  // namespace

site_id graph_memory::site_of(const code_point& at) const {
    const harness_scope harness;
    return instrumented().site_of(at);
}

// The scenario object lies in memory that was used in earlier executions.
void graph_memory::begin_object(memory_range where) {
    if (!options_.instrumented) return;
    std::memset(reinterpret_cast<void*>(where.address), heap::fill, where.size);
    shadow_.allocate(where);
}

bool graph_memory::compared(std::uintptr_t address) const noexcept {
    const memory_range stacks = stacks_.region();
    return heap::contains(reinterpret_cast<const void*>(address)) || address - stacks.address < stacks.size ||
           instrumented().compared(address);
}

inline void graph_memory::count_plain(const code_point& at) {
    ++total_steps_;
    if (++plain_accesses_ > plain_limit_) [[unlikely]]
        set_aside_endless(at);
}

// The others go on: one of them may write what the loop looks at, which is then a race.
void graph_memory::set_aside_endless(const code_point& at) {
    const site_id site = site_of(at);
    if (alone()) fail_too_long(options_.plain_limit, "plain accesses", site);
    enter();
    plain_limit_ += options_.plain_limit;
    ++step_;
    if (tracing_) record("goes on for ever", site, nullptr);
    while (true) block(blocked_by::endless);
}

// A loop that has come back is found by comparing memory; what cannot be compared is an effect.
inline void graph_memory::note_plain_write(std::uintptr_t address) {
    if (stacks_.on_stack(number_, address)) return;
    ++self().done.writes;
    if (!compared(address)) effect();
}

void graph_memory::read_bytes(memory_range where, const code_point& at) { note_bytes(where, byte_access::read, at); }

void graph_memory::write_bytes(memory_range where, const code_point& at) {
    note_plain_write(where.address);
    note_bytes(where, byte_access::write, at);
}

void graph_memory::note_bytes(memory_range where, byte_access how, const code_point& at) {
    count_plain(at);
    if (self().guess.active) [[unlikely]]
        return require_harmless_bytes(where, how);
    const auto found = note_access(where, how);
    if (found.any()) [[unlikely]]
        explain(found, where, how, at);
    if (tracing_) [[unlikely]]
        trace_bytes(where, how, at);
}

// As require_harmless(), for bytes.
void graph_memory::require_harmless_bytes(memory_range where, byte_access how) {
    const bool noted = shadow_.noted(where, access_now(how));
    if (!noted || (writes(how) && !compared(where.address))) give_up_guess();
}

void graph_memory::copy_bytes(std::uintptr_t to, memory_range from, const code_point& at) {
    if (from.size == 0) return;
    count_plain(at);
    note_plain_write(to);
    const memory_range copy{to, from.size};
    if (self().guess.active) {
        require_harmless_bytes(from, byte_access::read);
        return require_harmless_bytes(copy, byte_access::write);
    }
    auto found = note_access(from, byte_access::read);
    found.unwritten = false;  // a copy of bytes without a value is none that anybody looks at
    if (found.any()) explain(found, from, byte_access::read, at);
    found = note_access(copy, byte_access::write);
    if (found.any()) explain(found, copy, byte_access::write, at);
    shadow_.copy_written(to, from);
    if (tracing_) {
        trace_bytes(from, byte_access::read, at);
        trace_bytes(copy, byte_access::write, at);
    }
}

void graph_memory::fresh_bytes(memory_range where) {
    effect();
    shadow_.forget(where);
    end_objects(where);
}

void graph_memory::explain(const byte_shadow::findings& found, memory_range where, byte_access how,
                           const code_point& at) {
    // Locals larger than the stack are those of other threads; g++ does not tell of each function that begins.
    if (detail::beyond_usable_stack(at.frame) && at.frame != 0) require_room_on_stack(at.frame, site_of(at));
    const bool local = found.outside && !name_of_local(where.address).empty();
    // With a race, it does not take the end of the thread to be wrong.
    if (local && !found.raced) fail_bytes(violation_kind::use_after_free, where, ", which has ended, is used", at);
    if (found.outside && !local) {
        if (!heap::freed(where.address)) {
            fail_bytes(violation_kind::use_after_free, where, "is accessed outside every block that was allocated", at);
        }
        fail_bytes(
            found.raced ? violation_kind::unsynchronised_destruction : violation_kind::use_after_free, where,
            found.raced ? "is used though its being freed is not ordered after that" : "is used after it was freed",
            at);
    }
    if (found.raced) {
        std::string happened;
        {
            const harness_scope harness;
            happened = writes(how) ? "is written while " : "is read while ";
            happened += words_for(shadow_.raced_with().how);
            happened += " by another thread" + place_of_other(where) + " is not ordered before";
        }
        const bool ends = std::string_view(at.operation).starts_with("destroy");
        fail_bytes(ends ? violation_kind::unsynchronised_destruction : violation_kind::data_race, where, happened, at);
    }
    if (found.unwritten) {
        // Code that is not instrumented may have written it: then it is not what the heap put there.
        const auto* const bytes = reinterpret_cast<const unsigned char*>(where.address);
        if (std::all_of(bytes, bytes + where.size, [](unsigned char each) { return each == heap::fill; })) {
            fail_bytes(violation_kind::uninitialised_read, where, "was never written", at);
        }
        shadow_.set_written(where);
    }
    if (!found.on_object || how == byte_access::atomic_read || how == byte_access::atomic_write) return;
    bring_up_to_date(where);
    if (writes(how)) end_objects(where, &at);
}

void graph_memory::fail_bytes(violation_kind kind, memory_range where, std::string_view happened,
                              const code_point& at) {
    std::string message;
    {
        const harness_scope harness;
        failed_bytes_ = where;
        message = name_of_bytes(where);
        if (!happened.starts_with(',')) message += ' ';
        message += happened;
        // What the other thread did there is no longer its private matter.
        if (tracing_) note_history(where, byte_access::read, no_site);
    }
    fail(kind, message, site_of(at));
}

void graph_memory::touch_atomic(memory_range where, bool writes, const code_point& at) {
    if (self().guess.active) [[unlikely]]
        return;  // what comes now ends that, or has been here already
    const byte_access how = writes ? byte_access::atomic_write : byte_access::atomic_read;
    const auto found = note_access(where, how);
    if (found.raced || found.outside || found.unwritten) [[unlikely]]
        explain(found, where, how, at);
    if (tracing_) [[unlikely]]
        note_history(where, how, site_of(at));
    if (found.on_object) [[likely]] {
        const object* const known = objects_.find(where.address);
        if (known != nullptr && known->alive && known->where.size == where.size && known->kind == object_kind::atomic) {
            return;
        }
        refuse("atomic operations of different sizes on the same bytes, or on a lock", site_of(at));
    }
    if (instrumented().unknown(where.address)) refuse_unknown_memory(site_of(at));
    std::uint64_t initial = 0;
    std::memcpy(&initial, reinterpret_cast<const void*>(where.address), where.size);
    begin_object_at(where, object_kind::atomic, initial);
}

// That a compare-exchange wrote is known after its event, and belongs to that: who acquires from it is ordered after it.
void graph_memory::note_stored(const atomic_access& access) {
    byte_shadow::access write = access_now(byte_access::atomic_write);
    if (!quiet()) --write.epoch;
    if (shadow_.note(access.where, write, self().happened).raced) {
        fail(violation_kind::data_race, "an atomic object is written while a plain read is not ordered before",
             access.site);
    }
}

void graph_memory::touch_waiting_place(memory_range where, object_kind kind, const code_point& at) {
    if (self().guess.active) return;
    if (where.address < lock_beside) {
        const memory_range head{where.address, std::min<std::size_t>(where.size, 8)};
        const auto found = note_access(head, byte_access::atomic_read);
        if (found.raced || found.outside) explain(found, head, byte_access::atomic_read, at);
    }
    const object* const known = objects_.find(where.address);
    if (known == nullptr || !known->alive) begin_object_at(where, kind, unlocked);
}

void graph_memory::begin_object_at(memory_range where, object_kind kind, std::uint64_t initial) {
    const harness_scope harness;
    const object* const before = objects_.find(where.address);
    const std::uint64_t incarnation = before == nullptr ? 0 : incarnation_of(before->name_of) + 1;
    const bool beside = where.address >= lock_beside;
    object& made = objects_.add(where, kind);
    made.name_of = at_address(where.address, incarnation, beside);
    made.initial = initial;
    made.initialised = true;
    made.collected = finishing_;
    if (!beside) shadow_.set_object(where, true);
}

std::uint64_t graph_memory::newest_value(object& of) {
    if (alone()) return settled(of).initial;
    const std::vector<event_id>& order = graph_->coherence(of.name_of);
    for (std::size_t place = order.size(); place-- > 1;) {
        if (order[place] != initial_write && facts_[order[place]].done) return (*graph_)[order[place]].value;
    }
    return of.initial;
}

// Atomics live in the graph. When a plain access has been found to be ordered after all that was done to them, their
// bytes are made to hold what they came to.
void graph_memory::bring_up_to_date(memory_range where) {
    const harness_scope harness;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        object& each = objects_[i];
        if (!each.alive || each.kind != object_kind::atomic || !overlap(each.where, where)) continue;
        const std::uint64_t value = newest_value(each);
        std::memcpy(reinterpret_cast<void*>(each.where.address), &value, each.where.size);
    }
}

// A lock that somebody has, or a condition variable that somebody waits on, must not end.
void graph_memory::require_unused(object& ending, const code_point* at) {
    const auto reads = [&](int number) { return holds_shared(number, ending.where.address); };
    if (ending.kind == object_kind::mutex && (ending.owner >= 0 || std::ranges::any_of(tree_.order(), reads))) {
        fail(violation_kind::precondition, "a mutex is destroyed while it is locked",
             at == nullptr ? no_site : site_of(*at));
    }
    const auto has_waiters = [&] {
        const harness_scope harness;
        return ending.kind == object_kind::condition && waiting_threads(newest_value(ending)) != 0;
    };
    if (has_waiters()) {
        fail(violation_kind::precondition, "a condition variable is destroyed while a thread waits on it",
             at == nullptr ? no_site : site_of(*at));
    }
}

void graph_memory::end_objects(memory_range where, const code_point* at) {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        object& each = objects_[i];
        memory_range own = each.where;
        own.address &= lock_beside - 1;
        if (!each.alive || !overlap(own, where)) continue;
        require_unused(each, at);
        each.alive = false;
        if (each.kind == object_kind::atomic) require_not_notified(own);
        if (own.address == each.where.address) shadow_.set_object(own, false);
    }
}

// The objects in it have ended.
void graph_memory::free_bytes(memory_range block) {
    end_objects(block);
    if (note_access(block, byte_access::write).raced) {
        fail_bytes(violation_kind::unsynchronised_destruction, block,
                   "is freed while another access is not ordered before", {0, 0, "free"});
    }
    shadow_.free(block);
}

}  // namespace ordeal::graph
