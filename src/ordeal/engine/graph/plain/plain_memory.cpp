// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/plain/plain_memory.hpp"

#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"
#include "ordeal/model/word.hpp"

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

// What is on a stack goes with its scope; that is so at the end of a thread, too.
violation_kind kind_of_end(memory_range where, bool unordered) {
    return unordered && !fibers::owner_of(where.address) ? violation_kind::unsynchronised_destruction
                                                         : violation_kind::use_after_free;
}

}  // namespace

void plain_memory::add_regions() {
    shadow_.add_region(heap::region(), true);
    shadow_.add_region(stacks_.parts());
    shadow_.add_region(instrumented().thread_variables());
}

void plain_memory::begin() {
    shadow_.begin_execution();
    trace_.begin();
    accesses_ = 0;
    next_limit_ = limits_.accesses;
}

// It lies in memory that was used in earlier executions.
void plain_memory::begin_object(memory_range where) {
    std::memset(reinterpret_cast<void*>(where.address), heap::fill, where.size);
    shadow_.allocate(where);
}

bool plain_memory::compared(std::uintptr_t address) const noexcept {
    const memory_range stacks = stacks_.region();
    return heap::contains(reinterpret_cast<const void*>(address)) || address - stacks.address < stacks.size ||
           instrumented().compared(address);
}

inline void plain_memory::count(const code_point& at) {
    prologue_.count_access();
    if (++accesses_ > next_limit_) [[unlikely]]
        set_aside_endless(at);
}

// The others go on: one of them may write what the loop looks at, which is then a race.
void plain_memory::set_aside_endless(const code_point& at) {
    const site_id site = site_of(at);
    if (run_.alone()) end_.fail_too_long(limits_.accesses, "plain accesses", site);
    prologue_.enter();
    next_limit_ += limits_.accesses;
    ++run_.step;
    recorder_.record("goes on for ever", site, nullptr);
    while (true) scheduling_.block(blocked::endlessly{});
}

// A loop that has come back is found by comparing memory; what cannot be compared is an effect.
void plain_memory::note_write_of(std::uintptr_t address) {
    if (stacks_.on_stack(run_.thread_id, address)) return;
    ++run_.self().done.writes;
    if (!compared(address)) prologue_.effect();
    note_past_a_wait();
}

// A turn of a wait that has ended for no reason, and comes to nothing, is not followed on. So what it has read is compared with no
// access that needs its thread to go on.
void plain_memory::note_past_a_wait() { met_.wake_up_turns = met_.wake_up_turns || past_waits_.is_past_one(); }

void plain_memory::note(memory_range where, byte_access how, const code_point& at) {
    count(at);
    if (run_.self().speculated.active) [[unlikely]]
        return require_harmless(where, how);
    const auto found = note_access(where, how);
    if (found.any()) [[unlikely]]
        explain(found, where, how, at);
    trace_.access(accesses_, where, how, at);
}

void plain_memory::note_touched(memory_range where, byte_access how) {
    run_.note_touched(!shadow_.noted(where, {how, static_cast<std::uint8_t>(run_.thread_id), run_.self().since}));
}

// As for cells: while a spurious failure is tried out, an access must be one that was made before and is harmless.
void plain_memory::require_harmless(memory_range where, byte_access how) {
    const bool noted = shadow_.noted(where, access_now(how));
    if (!noted || (writes(how) && !compared(where.address))) end_.give_up_speculation();
}

void plain_memory::copy(std::uintptr_t to, memory_range from, const code_point& at) {
    if (from.size == 0) return;
    count(at);
    note_write_of(to);
    const memory_range copy{to, from.size};
    if (run_.self().speculated.active) {
        require_harmless(from, byte_access::read);
        return require_harmless(copy, byte_access::write);
    }
    auto found = note_access(from, byte_access::read);
    found.unwritten = false;  // a copy of bytes without a value is none that anybody looks at
    if (found.any()) explain(found, from, byte_access::read, at);
    found = note_access(copy, byte_access::write);
    if (found.any()) explain(found, copy, byte_access::write, at);
    shadow_.copy_written(to, from);
    trace_.access(accesses_, from, byte_access::read, at);
    trace_.access(accesses_, copy, byte_access::write, at);
}

// Nobody is seen to access anything. What is no longer there, or is freed by its own destructor, has ended before.
void plain_memory::end(memory_range where, const code_point& at) {
    count(at);
    if (run_.self().speculated.active) [[unlikely]] {
        if (!stacks_.on_stack(run_.thread_id, where.address)) require_harmless(where, byte_access::write);
        return;
    }
    run_.note_access(where, true);
    if (run_.self().compares) note_touched(where, byte_access::write);
    const auto found = shadow_.note_end(where, access_now(byte_access::write), run_.self().hb);
    if (!found) return;
    if (!stacks_.on_stack(run_.thread_id, where.address)) note_past_a_wait();
    if (found->raced) fail_race(kind_of_end(where, true), where, "is destroyed", at);
    if (found->on_object) {
        lives_.bring_up_to_date(where);
        end_objects(where, &at);
    }
    trace_.access(accesses_, where, byte_access::write, at);
}

void plain_memory::fresh(memory_range where) {
    prologue_.effect();
    shadow_.forget(where);
    end_objects(where);
}

void plain_memory::explain(const byte_shadow::findings& found, memory_range where, byte_access how,
                           const code_point& at) {
    // Locals larger than the stack are those of other threads; g++ does not tell of each function that begins.
    if (detail::beyond_usable_stack(at.frame) && at.frame != 0) prologue_.require_room(at.frame, site_of(at));
    const bool local = found.outside && !names_.of_local(where.address).empty();
    // With a race, it does not take the end of the thread to be wrong.
    if (local && !found.raced) fail(violation_kind::use_after_free, where, ", which has ended, is used", at);
    if (found.outside && !local) {
        if (!heap::freed(where.address)) {
            fail(violation_kind::use_after_free, where, "is accessed outside every block that was allocated", at);
        }
        fail(found.raced ? violation_kind::unsynchronised_destruction : violation_kind::use_after_free, where,
             found.raced ? "is used though its being freed is not ordered after that" : "is used after it was freed",
             at);
    }
    if (found.raced && found.ended) {
        fail(kind_of_end(where, true), where, "is used though its destruction is not ordered after that", at);
    }
    const bool ends = std::string_view(at.operation).starts_with("destroy");
    if (found.raced && (ends || !end_.goes_on_behind(violation_kind::data_race, site_of(at)))) {
        fail_race(ends ? violation_kind::unsynchronised_destruction : violation_kind::data_race, where,
                  writes(how) ? "is written" : "is read", at);
    }
    if (found.unwritten) {
        // Code that is not instrumented may have written it: then it is not what the heap put there.
        const auto* const bytes = reinterpret_cast<const unsigned char*>(where.address);
        if (std::all_of(bytes, bytes + where.size, [](unsigned char each) { return each == heap::fill; })) {
            fail(violation_kind::uninitialised_read, where, "was never written", at);
        }
        shadow_.set_written(where);
    }
    if (!found.on_object || how == byte_access::atomic_read || how == byte_access::atomic_write) return;
    lives_.bring_up_to_date(where);
    if (writes(how)) end_objects(where, &at);
}

void plain_memory::fail(violation_kind kind, memory_range where, std::string_view words, const code_point& at) {
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
    end_.fail(kind, message, site_of(at), {where, {}, at.operation});
}

void plain_memory::fail_race(violation_kind kind, memory_range where, const char* happens, const code_point& at) {
    trace_.add_due(shadow_.raced_with(), where);
    std::string words;
    {
        const harness_scope harness;
        words = happens;
        words += " while ";
        words += words_for(shadow_.raced_with().how);
        words += " by another thread" + trace_.place_of(shadow_.raced_with(), where) + " is not ordered before";
    }
    fail(kind, where, words, at);
}

void plain_memory::touch_atomic(memory_range where, bool writes, const code_point& at) {
    if (run_.self().speculated.active) [[unlikely]]
        return;  // what comes now ends that, or has been here already
    const byte_access how = writes ? byte_access::atomic_write : byte_access::atomic_read;
    const auto found = note_access(where, how);
    if (found.raced || found.outside || found.unwritten) [[unlikely]]
        explain(found, where, how, at);
    if (found.ended) [[unlikely]]
        require_not_ended(where, at);
    trace_.note(where, how, at);
    if (found.on_object) [[likely]] {
        const object* const known = run_.objects.find(where.address);
        if (known != nullptr && known->alive && known->where.size == where.size && known->kind == object_kind::atomic) {
            return;
        }
        end_.refuse("atomic operations of different sizes on the same bytes, or on a lock", site_of(at));
    }
    if (instrumented().unknown(where.address)) end_.refuse_unknown_memory(site_of(at));
    begin_object_at(where, object_kind::atomic, word_in(reinterpret_cast<const void*>(where.address), where.size));
}

// Who acquires from it is ordered after it.
void plain_memory::note_stored(const atomic_access& access) {
    byte_shadow::access write = access_now(byte_access::atomic_write);
    if (!run_.quiet()) --write.epoch;
    if (shadow_.note(access.where, write, run_.self().hb).raced &&
        !end_.goes_on_behind(violation_kind::data_race, access.site)) {
        end_.fail(violation_kind::data_race, "an atomic object is written while a plain read is not ordered before",
                  access.site, {access.where});
    }
}

void plain_memory::touch_waiting_place(memory_range where, object_kind kind, const code_point& at) {
    if (run_.self().speculated.active) return;
    if (where.address < lock_beside) {
        const memory_range head{where.address, std::min<std::size_t>(where.size, 8)};
        const auto found = note_access(head, byte_access::atomic_read);
        if (found.raced || found.outside) explain(found, head, byte_access::atomic_read, at);
        // A condition variable is made by a function of the library, which nobody sees.
        if (found.ended && kind == object_kind::mutex) require_not_ended(head, at);
    }
    const object* const known = run_.objects.find(where.address);
    if (known == nullptr || !known->alive) begin_object_at(where, kind, unlocked);
}

void plain_memory::begin_object_at(memory_range where, object_kind kind, std::uint64_t initial) {
    (void)lives_.begin_at(where, kind, initial);
    if (where.address >= lock_beside) return;
    const harness_scope harness;
    shadow_.set_object(where, true);
}

void plain_memory::end_objects(memory_range where, const code_point* at) {
    for (std::size_t i = 0; i < run_.objects.size(); ++i) {
        object& each = run_.objects[i];
        memory_range own = each.where;
        own.address &= lock_beside - 1;
        if (!each.alive || !overlap(own, where)) continue;
        lives_.end_by_write(each, own, at);
        if (own.address == each.where.address) shadow_.set_object(own, false);
    }
}

// Of a stack, libraries that are not seen may have used it since.
void plain_memory::require_not_ended(memory_range where, const code_point& at) {
    if (object_lives::overwritten(where)) return shadow_.begin_variable(where);
    fail(kind_of_end(where, false), where, "is used after its destruction", at);
}

// The objects in it have ended.
void plain_memory::free(memory_range block) {
    end_objects(block);
    note_past_a_wait();
    if (shadow_.free(block, access_now(byte_access::write), run_.self().hb).raced) {
        trace_.add_due(shadow_.raced_with(), block);
        fail(violation_kind::unsynchronised_destruction, block, "is freed while another access is not ordered before",
             {0, 0, "free"});
    }
}

// The end of a thread is no event, so another thread's access may come before or after it in one and the same execution;
// either way it must not be unordered.
void plain_memory::end_locals() {
    const memory_of_threads stacks = stacks_.parts();
    notifications_.require_none({stacks.all.address + run_.index() * stacks.of_each, stacks.of_each});
    const auto used = shadow_.end_thread(run_.thread_id, run_.self().hb);
    if (!used) return;
    std::string words;
    {
        const harness_scope harness;
        words = "is used by another thread" + trace_.place_of(shadow_.raced_with(), *used) +
                ", and the end of thread " + std::to_string(run_.thread_id) + " is not ordered after that";
    }
    fail(violation_kind::use_after_free, *used, words, {0, 0, "end of thread"});
}

}  // namespace ordeal::graph
