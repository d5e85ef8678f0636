// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/relacy/relacy_runtime.hpp"

#include "ordeal/engine/relacy/exception_state.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>

namespace ordeal::detail::relacy {

namespace {

// The operation about to run, as announced to the scheduler.
enum operation : unsigned {
    op_load,
    op_store,
    op_modify,
    op_exchange,
    op_fence,
    op_wait,
    op_notify,
    op_lock,
    op_yield
};

}  // namespace

void relacy_runtime::begin(bool tracing) {
    objects_.clear();
    found_.reset();
    false_assumption_ = false;
    tracing_ = tracing;
    trace_.clear();
    freed_.reset();
    step_ = 0;
    inside_threads_ = false;
    seq_cst_access_ = false;
    seq_cst_fence_ = false;
    last_ran_ = {};
    last_stale_ = 0;
    executing_ = true;
    begin_execution(*this);
}

void relacy_runtime::end() {
    leave();
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        object& each = objects_[i];
        if (each.alive && each.handle != nullptr) retire(each, no_site, "");
        shadow_destroy(each.shadow);
    }
    objects_.clear();
}

void relacy_runtime::leave() noexcept {
    executing_ = false;
    end_execution();
}

int relacy_runtime::thread() const noexcept { return inside_threads_ ? current_thread() : -1; }

void relacy_runtime::fail(violation_kind kind, std::string_view message, site_id site, memory_range about) {
    {
        const harness_scope harness;
        std::string text(message);
        found_ = violation{kind, text};
        next_step();
        if (tracing_) {
            trace_step* const last = record(trace_step::violation_words, site, nullptr);
            last->note = violation_note(kind, text);
            last->address = about.address;
            last->size = about.size;
            last->access = access_of(last->where, last->where.operation);
            if (const object* const of = objects_.find(about.address)) last->object = of->name();
        }
    }
    leave();
    relacy::fail();
}

void relacy_runtime::end_by_assumption(site_id /*site*/) {
    false_assumption_ = true;
    leave();
    relacy::fail();
}

// Formats outside the heap on trial, where an injected failure may be pending.
void relacy_runtime::fail_about(const object& what, violation_kind kind, std::string_view happened, site_id site) {
    std::string message;
    {
        const harness_scope harness;
        message = what.name() + " ";
        message += happened;
    }
    fail(kind, message, site, what.where);
}

void relacy_runtime::conclude(violation_kind kind, std::string_view message) {
    found_ = violation{kind, std::string(message)};
    if (!tracing_) return;
    trace_step last;
    last.index = ++step_;
    last.operation = trace_step::violation_words;
    last.note = violation_note(kind, message);
    trace_.push_back(std::move(last));
}

// Finds the object for an access to it; it must be alive.
object& relacy_runtime::live(std::uintptr_t address, site_id site) {
    object* const found = objects_.find(address);
    if (found == nullptr) {
        fail(violation_kind::use_after_free,
             heap::freed(address) ? "an operation on memory that has been freed"
                                  : "an operation on an object that this execution has not constructed",
             site);
    }
    if (!found->alive) {
        const bool raced = !shadow_read(found->shadow);
        fail_about(*found, raced ? violation_kind::unsynchronised_destruction : violation_kind::use_after_free,
                   raced ? "is used after another thread may have destroyed it: the two are not ordered"
                         : "is used after its destruction",
                   site);
    }
    note_sharing(*found);
    return *found;
}

void relacy_runtime::note_sharing(object& touched) noexcept {
    const int self = thread();
    if (self < 0) return;
    touched.touched |= 1u << self;
    threads_shared_object_ |= (touched.touched & (touched.touched - 1)) != 0;
}

void relacy_runtime::note_ran() noexcept {
    if (inside_threads_) last_ran_[static_cast<std::size_t>(current_thread())] = step_;
}

void relacy_runtime::note_age(const stored_value& seen, const object& of) noexcept {
    if (seen.step != atomic_newest(of.handle).step) last_stale_ = step_;
}

// A thread that waits to be woken is not scheduled. One that waits for a mutex counts as starved: the limit is named
// once too often rather than once too few.
void relacy_runtime::note_unfairness(int threads) noexcept {
    const std::uint32_t half = step_ / 2;
    bool unfair = last_stale_ > half;
    for (int each = 0; each < threads; ++each) {
        bool parked = false;
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            parked |= std::ranges::find(objects_[i].waiting, each) != objects_[i].waiting.end();
        }
        unfair |= !parked && last_ran_[static_cast<std::size_t>(each)] < half;
    }
    limits_.unfair_schedule |= unfair;
}

// Finds the object for an operation, which counts as a read of its lifetime.
object& relacy_runtime::touch(std::uintptr_t address, site_id site, object_kind kind) {
    object& found = live(address, site);
    if (found.kind != kind) fail(violation_kind::use_after_free, "an operation on an object of another kind", site);
    if (!shadow_read(found.shadow)) {
        fail_about(found, violation_kind::data_race, "is used while its construction is not ordered before the use",
                   site);
    }
    return found;
}

stored_value relacy_runtime::made_by(const atomic_access& access, std::uint64_t value) const noexcept {
    return {.value = value,
            .step = step_,
            .site = access.site,
            .thread = static_cast<std::int16_t>(thread()),
            .size = static_cast<std::uint8_t>(access.where.size),
            .how = 0};
}

// The scheduling point before an operation: any thread may go first. What follows is uninterrupted.
void relacy_runtime::step(unsigned operation, site_id site) {
    mark(site, site_was_reached);
    announce(site * 128u + operation * 8u + static_cast<unsigned>(current_thread()));
    on_fiber([] { schedule(); });
    next_step();
    note_ran();
}

void relacy_runtime::mark(site_id site, std::uint8_t flag) noexcept {
    if (site >= reached_.size()) {
        const harness_scope harness;
        reached_.resize(std::max<std::size_t>(site + 1, 2 * reached_.size()));
    }
    reached_[site] |= flag;
}

void relacy_runtime::note_crossing(const stored_value& seen, site_id reader) noexcept {
    if (seen.thread == thread() || seen.thread < 0) return;
    mark(seen.site, site_was_crossed);
    mark(reader, site_was_crossed);
}

void relacy_runtime::note_order(order using_order, bool is_fence) noexcept {
    if (using_order != order::seq_cst) return;
    (is_fence ? seq_cst_fence_ : seq_cst_access_) = true;
    limits_.sequentially_consistent_fences |= is_fence;
    if (seq_cst_fence_ && seq_cst_access_) limits_.sequential_consistency = true;
}

void relacy_runtime::note_write(object& written, bool non_rmw, order using_order) noexcept {
    const int self = thread();
    if (non_rmw && self >= 0) {
        // After a read-modify-write even a release store carries more than its own thread's writes: the sequence that
        // it continued.
        if (written.last_thread == self && (written.modified || !releases(using_order))) {
            limits_.release_sequences = true;
        }
        written.non_rmw_stores = true;
    }
    written.modified |= !non_rmw;
    if (self >= 0) written.writers |= 1u << self;
    if (written.non_rmw_stores && (written.writers & (written.writers - 1)) != 0) limits_.modification_order = true;
    ++written.writes;
    written.last_thread = self;
}

std::uint64_t relacy_runtime::load(const atomic_access& access) {
    const fences_around<relacy_runtime> added(*this, access.site);
    step(op_load, access.site);
    object& target = atomic(access);
    note_order(access.using_order, false);
    const stored_value seen = atomic_load(target.handle, access.using_order);
    if (target.writes > 2) limits_.stale_reads = true;
    note_age(seen, target);
    note_crossing(seen, access.site);
    if (tracing_) record_value(record(nullptr, access.site, &target), seen, target);
    return seen.value;
}

void relacy_runtime::store(const atomic_access& access, std::uint64_t value) {
    const fences_around<relacy_runtime> added(*this, access.site);
    step(op_store, access.site);
    object& target = atomic(access);
    note_order(access.using_order, false);
    atomic_store(target.handle, made_by(access, value), access.using_order);
    note_write(target, true, access.using_order);
    if (tracing_) record(nullptr, access.site, &target)->set_after(value);
}

std::uint64_t relacy_runtime::modify(const atomic_access& access, modification how, std::uint64_t operand) {
    const fences_around<relacy_runtime> added(*this, access.site);
    step(op_modify, access.site);
    object& target = atomic(access);
    note_order(access.using_order, false);
    stored_value change = made_by(access, operand);
    change.how = static_cast<std::uint8_t>(how);
    const stored_value seen = atomic_modify(target.handle, change, access.using_order);
    note_write(target, false, access.using_order);
    note_crossing(seen, access.site);
    if (tracing_) {
        trace_step* const entry = record(nullptr, access.site, &target);
        entry->set_before(seen.value);
        entry->reads_from = seen.step;
        entry->set_after(atomic_newest(target.handle).value);
    }
    return seen.value;
}

bool relacy_runtime::compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                                      std::uint64_t& expected, std::uint64_t desired) {
    const fences_around<relacy_runtime> added(*this, access.site);
    const fences_around<relacy_runtime> added_to_failure(*this, failure_site);
    step(op_exchange, access.site);
    mark(failure_site, site_was_reached);
    object& target = atomic(access);
    const stored_value seen = atomic_newest(target.handle);  // Relacy compares with the latest value only
    stored_value compared = made_by(access, expected);
    const bool stored =
        atomic_compare_exchange(target.handle, compared, made_by(access, desired), access.using_order, failure, weak);
    limits_.spurious_failures |= weak;
    if (target.writes > 1 && target.last_thread != thread()) limits_.stale_failures = true;
    const site_id acting = stored ? access.site : failure_site;
    note_order(stored ? access.using_order : failure, false);
    note_crossing(seen, acting);
    if (stored) note_write(target, false, access.using_order);
    if (tracing_) {
        const harness_scope harness;
        trace_step* const entry = record(nullptr, acting, &target);
        entry->set_before(seen.value);
        entry->reads_from = seen.step;
        if (stored) entry->set_after(desired);
        if (!stored) entry->note = trace_step::failure_note(seen.value == expected);
    }
    if (!stored) expected = seen.value;
    return stored;
}

void relacy_runtime::fence(order using_order, site_id site) {
    const fences_around<relacy_runtime> added(*this, site);
    step(op_fence, site);
    note_order(using_order, true);
    mark(site, site_was_crossed);  // a fence reads nothing itself, so reaching it is all there is to note
    relacy::fence(using_order);
    if (tracing_) record(nullptr, site, nullptr);
}

void relacy_runtime::add_fence(order with, site_id site) {
    step(op_fence, site);
    note_order(with, true);
    relacy::fence(with);
    if (tracing_) describe_added_fence(*record("fence", site, nullptr), with);
}

void relacy_runtime::wait(const atomic_access& access, std::uint64_t old) {
    const fences_around<relacy_runtime> added(*this, access.site);
    step(op_wait, access.site);
    object& target = atomic(access);
    note_order(access.using_order, false);
    stored_value seen = atomic_load(target.handle, access.using_order);
    while (seen.value == old) {
        // As in a futex: the latest value decides, and nothing happens between reading and blocking.
        if (atomic_newest(target.handle).value != old) {
            seen = atomic_load_newest(target.handle, access.using_order);
            break;
        }
        if (thread() < 0) fail(violation_kind::deadlock, "blocked during construction or finish()", access.site);
        if (tracing_) record("blocks", access.site, &target);
        {
            const harness_scope harness;
            target.waiting.push_back(thread());
        }
        on_fiber([] { park(); });
        next_step();
        touch(access.where.address, access.site, object_kind::atomic);
        seen = atomic_load(target.handle, access.using_order);
    }
    note_crossing(seen, access.site);
    if (tracing_) record_value(record(nullptr, access.site, &target), seen, target);
}

void relacy_runtime::notify(memory_range where, bool all, site_id site) {
    step(op_notify, site);
    object* const found = objects_.find(where.address);
    if (found == nullptr || !found->alive) {
        fail(violation_kind::notification_after_destruction,
             "an atomic is notified after its destruction, or while nothing orders the two", site);
    }
    object& target = *found;
    if (tracing_) record(nullptr, site, &target);
    while (!target.waiting.empty()) {
        const auto count = static_cast<unsigned>(target.waiting.size());
        const unsigned chosen = all || count == 1 ? 0 : choose(count);
        const int woken = target.waiting[chosen];
        target.waiting.erase(target.waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
        unpark(woken);
        if (!all) break;
    }
}

void relacy_runtime::lock(std::uintptr_t mutex, site_id site) {
    step(op_lock, site);
    object& target = touch(mutex, site, object_kind::mutex);
    on_fiber([&] { mutex_lock(target.handle); });
    target.owner = thread();
    next_step();
    if (tracing_) record(nullptr, site, &target);
}

bool relacy_runtime::try_lock(std::uintptr_t mutex, site_id site) {
    step(op_lock, site);
    object& target = touch(mutex, site, object_kind::mutex);
    if (target.owner == thread()) {
        fail(violation_kind::precondition, "a thread tries to lock a mutex that it holds", site);
    }
    const bool locked = mutex_try_lock(target.handle);
    if (locked) target.owner = thread();
    limits_.try_locks = true;
    if (tracing_) record(nullptr, site, &target)->note = locked ? "" : trace_step::failure_words;
    return locked;
}

void relacy_runtime::unlock(std::uintptr_t mutex, site_id site) {
    step(op_lock, site);
    object& target = touch(mutex, site, object_kind::mutex);
    mutex_unlock(target.handle);
    target.owner = not_locked;
    if (tracing_) record(nullptr, site, &target);
}

void relacy_runtime::yield(site_id site) {
    announce(site * 128u + op_yield * 8u + static_cast<unsigned>(current_thread()));
    limits_.yields = true;
    on_fiber([] { relacy::yield(); });
    next_step();
    note_ran();
    if (tracing_) record(nullptr, site, nullptr);
}

}  // namespace ordeal::detail::relacy
