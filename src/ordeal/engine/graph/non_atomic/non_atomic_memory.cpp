// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/non_atomic_memory.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/exception_memory.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/state/fingerprint.hpp"
#include "ordeal/runtime/word.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ordeal::detail::graph {

namespace {

constexpr std::size_t most_copied = 16;  // instrumented_runtime has a bit for each

const char* words_for(byte_access how) {
    switch (how) {
        case byte_access::atomic_read: return "an atomic read";
        case byte_access::read: return "a read";
        case byte_access::atomic_write: return "an atomic write";
        case byte_access::write: return "a write";
        case byte_access::allocation: break;
    }
    return "its allocation";
}

// Memory on a stack ends with its scope, also at the end of a thread.
violation_kind kind_of_end(memory_range where, bool unordered) {
    if (fibers::owner_of(where.address)) return violation_kind::use_after_scope;
    return unordered ? violation_kind::unsynchronised_destruction : violation_kind::use_after_free;
}

// Fill pattern of variables whose scope has ended. If anything else is found, uninstrumented code has reused the
// memory.
constexpr unsigned char left_behind = 0xdb;

}  // namespace

void non_atomic_memory::add_regions() {
    shadow_.add_region(heap::region(), true);
    shadow_.add_region(fibers_.parts());
    shadow_.add_region(instrumented().thread_variables());
}

void non_atomic_memory::begin() {
    shadow_.begin_execution();
    trace_.begin();
    accesses_.begin();
    past_waits_.forget();
}

// The memory was used in earlier executions.
void non_atomic_memory::begin_object(memory_range where) {
    std::memset(reinterpret_cast<void*>(where.address), heap::fill, where.size);
    allocate(where);
}

bool non_atomic_memory::compared(std::uintptr_t address) const noexcept {
    const memory_range stacks = fibers_.region();
    return heap::contains(reinterpret_cast<const void*>(address)) || address - stacks.address < stacks.size ||
           instrumented().is_fingerprinted(address);
}

// A loop that returned to an earlier state is found by comparing memory; writes elsewhere are effects.
void non_atomic_memory::note_write_of(memory_range where) {
    thread_state& me = run_.self();
    if (fibers_.on_stack(run_.thread_id, where.address)) {
        ++me.writes_to_stack;
        return;
    }
    ++me.done.writes;
    if (!compared(where.address)) return operation_accounting_.effect();
    if (me.wake_ups != 0) me.since_wait.note(where);
}

// The bytes may be nowhere: then the read itself ends the execution.
void non_atomic_memory::note_input(memory_range where) {
    constexpr std::size_t largest = 16;
    thread_state& me = run_.self();
    if (where.size > largest || !compared(where.address) || !compared(where.address + where.size - 1)) {
        me.since_header = 0;
    } else {
        me.note_input(fingerprint_of_bytes(where.address, where.size, 0, instrumented().clock().passed));
    }
}

void non_atomic_memory::note_behind_lock(memory_range where, byte_access how) noexcept {
    if (fibers_.on_stack(run_.thread_id, where.address)) return;
    const bool known = compared(where.address) && compared(where.address + where.size - 1);
    run_.self().newest_lock.note(where, how == byte_access::read && known);
}

// Who sees what a thread has written to its own stack behind its lock knows that it has waited.
void non_atomic_memory::note_seen(memory_range where) {
    const auto owner = fibers::owner_of(where.address);
    if (!owner || owner->thread_id == run_.thread_id) return;
    start_behind_lock& start = run_.of(owner->thread_id).start_behind_lock;
    if (start.lock.after == 0) return;
    const auto since = static_cast<event_index>(start.lock.after + 1);
    for (std::size_t i = 0; i < where.size; ++i) {
        if (shadow_.noted({where.address + i, 1},
                          {byte_access::write, static_cast<std::uint8_t>(owner->thread_id), since})) {
            start.lock.after = 0;
            return;
        }
    }
}

// Who depends on what a thread did after a failed iteration, or after a wait, may race with an access of that
// iteration, or of one that came after a spurious end of that wait.
void non_atomic_memory::compare_with_left_out(memory_range where, byte_access how) {
    const thread_state& me = run_.self();
    // Whether the other thread began an iteration, or waited, in events that are not ordered before this one, of which
    // it knows.
    const auto is_past_one = [&](int other, event_index known) {
        const thread_state& one = run_.of(other);
        const bool may_race = kind_of(how).atomic ? one.non_atomic_accesses_in_loops : one.accesses_in_loops;
        const event_index ordered = me.hb[static_cast<std::size_t>(other)];
        return (may_race && one.has_start_at(ordered, known)) ||
               (other != run_.thread_id && past_waits_.waited_between(other, ordered, known));
    };
    // Quick to ask, and seldom so: it knows of no more than its porf prefix, to which the end of a thread may be added.
    const auto may_be_past_one = [&](int other) {
        const auto number = static_cast<std::size_t>(other);
        return is_past_one(other, static_cast<event_index>(std::max(me.porf[number], me.hb[number]) + 1));
    };
    if (std::ranges::none_of(run_.order(), may_be_past_one)) return;
    const harness_scope harness;
    const auto& known = past_waits_.known();
    for (const int other : run_.order()) {
        const auto number = static_cast<std::size_t>(other);
        if (!is_past_one(other, known[number])) continue;
        search_facts_.pruned_accesses.unordered.add(
            {other, where.address, where.size, kind_of(how), known[number], me.hb[number]});
    }
}

void non_atomic_memory::note(memory_range where, byte_access how, const code_location& at) {
    accesses_.count(at);
    if (run_.self().speculated.active) [[unlikely]]
        return require_harmless(where, how);
    const auto found = note_access(where, how);
    if (found.any()) [[unlikely]]
        explain(found, where, how, at);
    trace_.access(accesses_.total(), where, how, at);
}

void non_atomic_memory::note_touched(memory_range where, byte_access how) {
    run_.note_touched(where, kind_of(how), [&](event_index since) {
        return shadow_.noted(where, {how, static_cast<std::uint8_t>(run_.thread_id), since});
    });
}

void non_atomic_memory::note_handed(memory_range where, byte_access how) {
    const harness_scope harness;
    shadow_.conflicting(where, access_now(how), earlier_);
    for (const byte_shadow::access& each : earlier_) used_orders_.note_pair(each.thread_id, each.epoch);
}

// Not called for ends of lifetimes: another thread's access races with one, or is ordered with it by an object that
// both have accessed.
void non_atomic_memory::look_for_meeting(memory_range where, byte_access how) {
    const bool atomic = how == byte_access::atomic_read || how == byte_access::atomic_write;
    if (!atomic && !fibers_.on_stack(run_.thread_id, where.address))
        search_facts_.concurrent |= run_.acts_concurrently();
    search_facts_.threads_shared_object = shadow_.is_shared(where, run_.thread_id, run_.self().fork_join_hb);
}

// As for cells: in speculation an access must be a repeated and harmless one.
void non_atomic_memory::require_harmless(memory_range where, byte_access how) {
    const bool noted = shadow_.noted(where, access_now(how));
    if (!noted || (writes(how) && !compared(where.address))) run_end_.give_up_speculation();
}

void non_atomic_memory::copy(std::uintptr_t to, memory_range from, const code_location& at) {
    if (from.size == 0) return;
    accesses_.count(at);
    note_write_of({to, from.size});
    const memory_range copy{to, from.size};
    if (run_.self().speculated.active) {
        require_harmless(from, byte_access::read);
        return require_harmless(copy, byte_access::write);
    }
    auto found = note_access(from, byte_access::read);
    found.unwritten = false;  // copying uninitialised bytes is no use of them
    if (found.any()) explain(found, from, byte_access::read, at);
    found = note_access(copy, byte_access::write);
    if (found.any()) explain(found, copy, byte_access::write, at);
    shadow_.copy_written(to, from);
    trace_.access(accesses_.total(), from, byte_access::read, at);
    trace_.access(accesses_.total(), copy, byte_access::write, at);
}

std::uint32_t non_atomic_memory::read_for_copy(memory_range where, const code_location& at) {
    accesses_.count(at);
    if (run_.self().speculated.active) [[unlikely]] {
        require_harmless(where, byte_access::read);
        return 0;
    }
    auto found = note_access(where, byte_access::read);
    found.unwritten = false;  // a use of the copy is checked instead
    if (found.any()) [[unlikely]]
        explain(found, where, byte_access::read, at);
    trace_.access(accesses_.total(), where, byte_access::read, at);
    return uninitialised_bytes(where);
}

// Uninstrumented code may have written them: then they do not hold the heap's fill pattern.
std::uint32_t non_atomic_memory::still_unwritten(memory_range where, std::uint32_t which) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(where.address);
    for (std::size_t i = 0; i < where.size; ++i) {
        if ((which >> i & 1) == 0 || bytes[i] == heap::fill) continue;
        shadow_.set_written(where);
        return 0;
    }
    return which;
}

void non_atomic_memory::use_uninitialised(memory_range where, const code_location& at) {
    fail(violation_kind::uninitialised_read, where, "was never written", at);
}

void non_atomic_memory::use(memory_range where, const code_location& at) {
    read(where, at);
    if (run_.self().speculated.active) return;
    memory_range missing{};
    for (std::size_t i = 0; i < where.size && missing.size == 0; i += most_copied) {
        const memory_range part{where.address + i, std::min(where.size - i, most_copied)};
        const std::uint32_t found = shadow_.unwritten(part);
        if (found == 0) continue;
        if (still_unwritten(part, found) == 0) return shadow_.set_written(where);
        const auto first = static_cast<unsigned>(std::countr_zero(found));
        missing = {part.address + first, static_cast<std::size_t>(std::countr_one(found >> first))};
    }
    if (missing.size != 0) use_uninitialised(missing, at);
}

// No access is seen. An object that no longer exists, or is freed by its own destructor, has ended before.
void non_atomic_memory::end(memory_range where, const event_words& how, const code_location& at) {
    accesses_.count(at);
    if (run_.self().speculated.active) [[unlikely]] {
        if (!fibers_.on_stack(run_.thread_id, where.address)) require_harmless(where, byte_access::write);
        return;
    }
    run_.note_access(where, true);
    note_touched(where, byte_access::write);
    note_past_an_iteration(where, byte_access::write);
    if (used_orders_.wanted()) [[unlikely]]
        note_handed(where, byte_access::write);
    const auto found = shadow_.note_end(where, access_now(byte_access::write), run_.self().hb);
    if (!found) return;
    if (found->raced) fail_race(kind_of_end(where, true), where, how, at);
    if (found->on_object) {
        object_lifetimes_.bring_up_to_date(where);
        end_objects(where, &at);
    }
    trace_.access(accesses_.total(), where, byte_access::write, at);
}

void non_atomic_memory::begin_scope(memory_range where) {
    scopes_are_told_ = true;
    std::memset(reinterpret_cast<void*>(where.address), heap::fill, where.size);
    shadow_.begin_scope(where, access_now(byte_access::allocation), run_.self().hb);
}

void non_atomic_memory::end_scope(memory_range where, bool announced, const code_location& at) {
    end(where, {"goes out of scope", "the end of its scope"}, at);
    end_storage(where, announced);
}

void non_atomic_memory::free_exception(memory_range where) {
    end(where, {"is freed", "the free"}, {0, 0, "free"});
    end_storage(where, true);
}

void non_atomic_memory::end_storage(memory_range where, bool announced) {
    std::memset(reinterpret_cast<void*>(where.address), left_behind, where.size);
    if (!run_.self().speculated.active) shadow_.set_scopeless(where, announced);
}

void non_atomic_memory::fresh(memory_range where) {
    operation_accounting_.effect();
    shadow_.forget(where);
    end_objects(where);
}

bool non_atomic_memory::is_local(std::uintptr_t address) const {
    const harness_scope harness;
    return !names_.of_local(address).empty();
}

void non_atomic_memory::explain(const byte_findings& found, memory_range where, byte_access how,
                                const code_location& at) {
    // Frames larger than the stack reach those of other threads; g++ does not report every function entry.
    if (is_outside_usable_stack(at.frame) && at.frame != 0) operation_accounting_.require_room(at.frame, site_of(at));
    if (found.outside && is_null_page(where.address)) {
        run_end_.fail(violation_kind::crash, null_dereference, site_of(at), {.operation = at.operation});
    }
    const bool local = found.outside && is_local(where.address);
    // With a race, the error is not the end of the thread.
    if (local && !found.raced) fail(kind_of_end(where, false), where, ", which has ended, is used", at);
    if (found.outside && !local) {
        if (!heap::freed(where.address)) {
            fail(violation_kind::use_after_free, where, "is accessed outside every block that was allocated", at);
        }
        if (!found.raced) fail(violation_kind::use_after_free, where, "is used after it was freed", at);
        fail(violation_kind::unsynchronised_destruction, where,
             after_unordered_end("another thread may have freed it", where), at);
    }
    const bool of_exception = exception_memory::contains(reinterpret_cast<const void*>(where.address));
    if (found.raced && found.ended) {
        fail(kind_of_end(where, true), where,
             after_unordered_end(of_exception      ? "another thread may have freed it"
                                 : found.scopeless ? "its scope may have ended"
                                                   : "another thread may have destroyed it",
                                 where),
             at);
    }
    if (found.scopeless && !found.raced) require_scope(where, at);
    const bool ends = std::string_view(at.operation).starts_with("destroy");
    if (found.raced && (ends || !run_end_.continues_after(violation_kind::data_race, site_of(at)))) {
        if (ends) fail_race(violation_kind::unsynchronised_destruction, where, destruction, at);
        fail_race(violation_kind::data_race, where,
                  writes(how) ? event_words{"is written", "the write"} : event_words{"is read", "the read"}, at);
    }
    if (found.unwritten) {
        // Uninstrumented code may have written it: then it does not hold the heap's fill pattern.
        const auto* const bytes = reinterpret_cast<const unsigned char*>(where.address);
        if (std::all_of(bytes, bytes + where.size, [](unsigned char each) { return each == heap::fill; })) {
            fail(violation_kind::uninitialised_read, where, "was never written", at);
        }
        shadow_.set_written(where);
    }
    if (!found.on_object || how == byte_access::atomic_read || how == byte_access::atomic_write) return;
    object_lifetimes_.bring_up_to_date(where);
    if (writes(how)) end_objects(where, &at);
}

void non_atomic_memory::fail(violation_kind kind, memory_range where, std::string_view words, const code_location& at) {
    std::string message;
    {
        const harness_scope harness;
        message = names_.of(where);
        recorder_.meet(where.address, run_.step + 1);
        recorder_.places().failed(where, message);
        if (!words.starts_with(',')) message += ' ';
        message += words;
        trace_.note_failed(where);
    }
    run_end_.fail(kind, message, site_of(at), {.where = where, .operation = at.operation});
}

// "is used after another thread may have freed it at b.cpp:7: the two are not ordered"
std::string non_atomic_memory::after_unordered_end(std::string_view end, memory_range where) const {
    const harness_scope harness;
    std::string words = "is used after ";
    words += end;
    return words + trace_.place_of(shadow_.raced_with(), where) + ": the two are not ordered";
}

void non_atomic_memory::fail_race(violation_kind kind, memory_range where, const event_words& what,
                                  const code_location& at) {
    trace_.add_due(shadow_.raced_with(), where);
    std::string words;
    {
        const harness_scope harness;
        words = what.happens;
        words += " while ";
        const byte_shadow::access& other = shadow_.raced_with();
        const std::string operation = trace_.operation_of(other, where);
        words += operation.empty() ? words_for(other.how) : operation;
        words += " by another thread";
        if (other.how != byte_access::allocation) words += trace_.place_of(other, where);
        words += " is not ordered before ";
        words += what.noun;
    }
    fail(kind, where, words, at);
}

void non_atomic_memory::touch_atomic(memory_range where, bool writes, const code_location& at) {
    if (run_.self().speculated.active) [[unlikely]]
        return;  // this access ends the object, or was here already
    const byte_access how = writes ? byte_access::atomic_write : byte_access::atomic_read;
    const auto found = note_access(where, how);
    if (found.raced || found.outside || found.unwritten || found.scopeless) [[unlikely]]
        explain(found, where, how, at);
    if (found.ended && !found.scopeless) [[unlikely]]
        require_not_ended(where, at);
    trace_.note(where, how, at);
    const auto [whole, bytes] = run_.mixed_sizes->of(where);
    if (bytes.is_part()) [[unlikely]]
        run_end_.note_part_access(site_of(at));
    bool begins_again = false;
    if (found.on_object) [[likely]] {
        object* const known = run_.objects.find(whole.address);
        const bool fits = known != nullptr && known->alive && known->where.size == whole.size &&
                          known->kind == object_kind::atomic && known->destroyed_as == nullptr;
        if (!fits) {
            require_not_destroyed(known, where, "is used", at);
            meet_another_size(where, at);
        }
        if (!bytes.is_mixed()) [[likely]]
            return;
        const thread_state& me = run_.self();
        const bool is_of_this = known->writer == run_.thread_id || me.hb[known->writer] >= known->write_epoch;
        if (is_of_this && holds_what_was_left(*known, bytes)) {
            known->accessed |= bytes.bytes();
            return;
        }
        if (!is_of_this || !me.hb.includes_but_of(run_.index(), known->reads)) {
            run_end_.refuse(written_part_of_atomic, site_of(at));
        }
        object_lifetimes_.bring_up_to_date(whole);
        end_objects(whole, &at);
        begins_again = true;
    }
    if (instrumented().is_unknown_memory(where.address)) run_end_.refuse_unknown_memory(site_of(at));
    object& made =
        begin_object_at(whole, object_kind::atomic, word_in(reinterpret_cast<const void*>(whole.address), whole.size));
    if (!bytes.is_mixed()) [[likely]]
        return;
    made.accessed = bytes.bytes();
    if (!begins_again) return;
    made.writer = static_cast<std::uint8_t>(run_.thread_id);
    made.write_epoch = run_.epoch();
}

// Others than atomic operations may have written to the bytes that are accessed for the first time, or again.
bool non_atomic_memory::holds_what_was_left(object& of, const footprint& bytes) const {
    if ((bytes.bytes() & ~of.accessed) == 0) [[likely]]
        return true;
    const std::uint64_t newest = single_threaded_memory_.newest_value(of);
    for (std::size_t i = bytes.offset; i < std::size_t{bytes.offset} + bytes.size; ++i) {
        if (!of.is_accessed(i) && of.held(i) != of.byte(i).of(newest)) return false;
    }
    return true;
}

// A lock is no atomic of any size.
void non_atomic_memory::meet_another_size(memory_range where, const code_location& at) {
    memory_range all = where;
    for (std::size_t i = 0; i < run_.objects.size() && all.size != 0; ++i) {
        const object& each = run_.objects[i];
        memory_range own = each.where;
        own.address &= companion_lock - 1;
        if (!each.alive || !overlap(own, where)) continue;
        const bool atomic = each.kind == object_kind::atomic && own.address == each.where.address;
        all = atomic ? mixed_sizes::joined(all, own) : memory_range{};
    }
    if (all.size == 0 || !options_.begins_again) {
        run_end_.refuse("atomic operations of different sizes on the same bytes, or on a lock", site_of(at));
    }
    run_end_.learn_mixed_sizes(all);
}

// A thread that acquires from it is ordered after it.
void non_atomic_memory::note_stored(const atomic_access& access) {
    byte_shadow::access write = access_now(byte_access::atomic_write);
    if (!run_.single_threaded()) --write.epoch;
    if (shadow_.note(access.where, write, run_.self().hb).raced &&
        !run_end_.continues_after(violation_kind::data_race, access.site)) {
        run_end_.fail(violation_kind::data_race,
                      "an atomic object is written while a non-atomic read is not ordered before the write",
                      access.site, {.where = access.where});
    }
}

void non_atomic_memory::touch_waiting_place(memory_range where, object_kind kind, const code_location& at) {
    if (run_.self().speculated.active) return;
    if (where.address < companion_lock) {
        const memory_range head{where.address, std::min<std::size_t>(where.size, 8)};
        const auto found = note_access(head, byte_access::atomic_read);
        if (found.raced || found.outside || found.scopeless) explain(found, head, byte_access::atomic_read, at);
        if (found.ended && !found.scopeless) require_not_ended(head, at);
        trace_.note(head, byte_access::atomic_read, at);
    }
    const object* const known = run_.objects.find(where.address);
    require_not_destroyed(known, where, "is used", at);
    if (known == nullptr || !known->alive) begin_object_at(where, kind, unlocked);
}

object& non_atomic_memory::begin_object_at(memory_range where, object_kind kind, std::uint64_t initial) {
    object& made = object_lifetimes_.begin_at(where, kind, initial);
    if (where.address >= companion_lock) return made;
    const harness_scope harness;
    shadow_.set_object(where, true);
    return made;
}

void non_atomic_memory::require_not_destroyed(const object* known, memory_range where, const char* happens,
                                              const code_location& at) {
    if (known == nullptr || !known->alive || known->destroyed_as == nullptr) [[likely]]
        return;
    std::string words;
    {
        const harness_scope harness;
        words = std::string(", a ") + known->destroyed_as + " that has been destroyed, " + happens;
    }
    fail(violation_kind::precondition, where, words, at);
}

// A stack address may have had another function's variable, which need not have been destroyed; the plugin that
// announces scopes reports that.
void non_atomic_memory::begin_synchroniser(const synchroniser& what, const code_location& at) {
    const object* const known = run_.objects.find(what.where.address);
    const bool there = known != nullptr && known->alive && known->made && known->destroyed_as == nullptr;
    if (there && (scopes_are_told_ || !fibers::owner_of(what.where.address))) {
        std::string words;
        {
            const harness_scope harness;
            words =
                std::string(", a ") + what.name + " that has been initialised and not destroyed, is initialised again";
        }
        fail(violation_kind::precondition, what.where, words, at);
    }
    replace_synchroniser(what, at).made = true;
}

void non_atomic_memory::end_synchroniser(const synchroniser& what, const code_location& at) {
    require_not_destroyed(run_.objects.find(what.where.address), what.where, "is destroyed again", at);
    replace_synchroniser(what, at).destroyed_as = what.name;
}

object& non_atomic_memory::replace_synchroniser(const synchroniser& what, const code_location& at) {
    if (run_.self().speculated.active) run_end_.give_up_speculation();
    write(what.where, at);
    return begin_object_at(what.kind == object_kind::atomic ? what.count : what.where, what.kind, what.initial);
}

namespace {

// Of an object of mixed_sizes the rest is one still. Returns whether there is a rest.
bool leave_parts(object& of, memory_range where) noexcept {
    if (of.accessed == 0) return false;
    for (std::size_t i = 0; i < of.where.size; ++i) {
        if (overlap({of.where.address + i, 1}, where)) of.accessed &= ~(std::uint32_t{1} << i);
    }
    return of.accessed != 0;
}

}  // namespace

void non_atomic_memory::end_objects(memory_range where, const code_location* at) {
    for (std::size_t i = 0; i < run_.objects.size(); ++i) {
        object& each = run_.objects[i];
        memory_range own = each.where;
        own.address &= companion_lock - 1;
        if (!each.alive || !overlap(own, where)) continue;
        if (leave_parts(each, where)) continue;
        // Whoever destroys an exception holds the lock of its references.
        if (own.address != each.where.address && exception_memory::contains(reinterpret_cast<const void*>(own.address)))
            continue;
        object_lifetimes_.end_by_write(each, own, at);
        if (own.address == each.where.address) shadow_.set_object(own, false);
    }
}

// Below all frames of the code on trial there are no variables, whatever has used the memory since.
bool non_atomic_memory::is_below_all_frames(std::uintptr_t address, const code_location& at) const noexcept {
    const auto place = fibers::owner_of(address);
    if (!place) return false;
    return address < (place->thread_id == run_.thread_id ? at.frame : run_.of(place->thread_id).caller_frame);
}

void non_atomic_memory::require_scope(memory_range where, const code_location& at) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(where.address);
    const bool is_left = std::all_of(bytes, bytes + where.size, [](unsigned char each) { return each == left_behind; });
    if (!is_below_all_frames(where.address, at) &&
        (!is_left || instrumented().is_in_unchecked_frame(where.address, at))) {
        return shadow_.begin_anew(where);
    }
    if (exception_memory::contains(bytes))
        fail(violation_kind::use_after_free, where, "is used after it was freed", at);
    fail(violation_kind::use_after_scope, where, "is used after the end of its scope", at);
}

// On a stack, uninstrumented libraries may have used the memory since, frame after frame.
void non_atomic_memory::require_not_ended(memory_range where, const code_location& at) {
    object* const known = run_.objects.find(run_.mixed_sizes->of(where).object.address);
    if (known != nullptr && known->has_bytes && object_lifetimes_.overwritten(*known)) return shadow_.begin_anew(where);
    fail(kind_of_end(where, false), where, "is used after its destruction", at);
}

// Ends the objects in the block.
void non_atomic_memory::free(memory_range block) {
    end_objects(block);
    note_past_an_iteration(block, byte_access::write);
    if (used_orders_.wanted()) note_handed(block, byte_access::write);
    if (shadow_.free(block, access_now(byte_access::write), run_.self().hb).raced) {
        trace_.add_due(shadow_.raced_with(), block);
        const bool allocation = shadow_.raced_with().how == byte_access::allocation;
        fail(violation_kind::unsynchronised_destruction, block,
             allocation ? "is freed while its allocation by another thread is not ordered before the free"
                        : "is freed while another access is not ordered before the free",
             {0, 0, "free"});
    }
}

// The end of a thread is no event, so another thread's access may come before or after it in one execution; either way
// it must be ordered.
void non_atomic_memory::end_locals() {
    const memory_of_threads stacks = fibers_.parts();
    const memory_range stack{stacks.all.address + run_.index() * stacks.of_each, stacks.of_each};
    notifications_.require_none(stack);
    note_past_an_iteration(stack, byte_access::write);
    const auto used = shadow_.end_thread(run_.thread_id, run_.self().hb);
    if (!used) return;
    std::string words;
    {
        const harness_scope harness;
        words = "is used by another thread" + trace_.place_of(shadow_.raced_with(), *used) +
                ", and the end of thread " + std::to_string(run_.thread_id) + " is not ordered after that";
    }
    fail(kind_of_end(*used, false), *used, words, {0, 0, "end of thread"});
}

// An access that is not ordered after this races with it, as with the allocation of a block.
void non_atomic_memory::begin_reusing_id() {
    shadow_.begin_thread(run_.thread_id, access_now(byte_access::allocation), run_.self().hb);
    for (const memory_of_threads& each : {fibers_.parts(), instrumented().thread_variables()}) {
        const memory_range own{each.all.address + run_.index() * each.of_each, each.of_each};
        for (std::size_t i = 0; i < run_.objects.size(); ++i) {
            object& old = run_.objects[i];
            if (old.where.address - own.address < own.size) old.alive = false;
        }
    }
}

}  // namespace ordeal::detail::graph
