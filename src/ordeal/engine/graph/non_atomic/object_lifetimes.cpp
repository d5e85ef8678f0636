// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/engine/graph/non_atomic/byte_access.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/runtime/word.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

// The last operation left its value, and bring_up_to_date() the newest one.
bool object_lifetimes::overwritten(object& of) {
    if (of.accessed != 0) {
        const std::uint64_t newest = single_threaded_memory_.newest_value(of);
        for (std::size_t i = 0; i < of.where.size; ++i) {
            const footprint byte = of.byte(i);
            if (of.is_accessed(i) && of.held(i) != byte.of(newest) &&
                of.held(i) != byte.of(single_threaded_memory_.latest_value(of, byte)))
                return true;
        }
        return false;
    }
    const std::uint64_t held = word_in(reinterpret_cast<const void*>(of.where.address), of.where.size);
    return held != single_threaded_memory_.newest_value(of) && held != single_threaded_memory_.latest_value(of);
}

void object_lifetimes::fail_not_alive(object* found, std::uintptr_t address, site_id site) {
    if (found == nullptr) {
        run_end_.fail(violation_kind::use_after_free,
                      heap::freed(address) ? "an operation on memory that has been freed"
                                           : "an operation on an object that this execution has not constructed",
                      site);
    }
    const bool raced = !note_read(*found);
    run_end_.fail_about(*found, raced ? violation_kind::unsynchronised_destruction : violation_kind::use_after_free,
                        raced ? "is used after another thread may have destroyed it: the two are not ordered"
                              : "is used after its destruction",
                        site);
}

// The initial value of an atomic, and whether a cell is initialised, are not in memory.
void object_lifetimes::note_begun(memory_range where, object_kind kind, std::uint64_t initial) {
    thread_effects& done = run_.self().done;
    ++done.begun;
    for (const std::uint64_t each : {std::uint64_t{where.address}, static_cast<std::uint64_t>(kind), initial})
        done.lives = hash_of_number(each, done.lives);
}

// That a std::jthread counts its stop states, on its own account, shows no intent of its user to synchronise.
void object_lifetimes::note_synchronisation(site_id site) noexcept {
    search_facts_.synchronised |= !sites().at(site).of_library && run_.another_is_there();
}

object& object_lifetimes::touch(std::uintptr_t address, site_id site, object_kind kind) {
    object& found = live(address, site);
    if (found.kind != kind)
        run_end_.fail(violation_kind::use_after_free, "an operation on an object of another kind", site);
    if (!search_facts_.synchronised && !run_.single_threaded()) [[unlikely]]
        note_synchronisation(site);
    const bool ordered = note_read(found);
    if (!ordered && found.accessed != 0) run_end_.refuse(written_part_of_atomic, site);
    if (!ordered && !run_end_.continues_after(violation_kind::data_race, site)) {
        run_end_.fail_about(found, violation_kind::data_race,
                            "is used while its construction is not ordered before the use", site);
    }
    return found;
}

void object_lifetimes::begin(memory_range where, object_kind kind, std::uint64_t initial, site_id site) {
    operation_accounting_.effect();
    note_begun(where, kind, initial);
    run_.note_access(where, true);
    operation_accounting_.step(no_site);
    if (heap::freed(where.address)) {
        run_end_.fail(violation_kind::use_after_free, "an object is constructed in memory that has been freed", site);
    }
    object* made = nullptr;
    {
        const harness_scope harness;
        made = &run_.objects.add(where, kind);
    }
    made->writer = static_cast<std::uint8_t>(run_.thread_id);
    made->write_epoch = run_.epoch();
    made->initialised = kind != object_kind::cell || initial != 0;
    made->last_write = made->began = run_.step;
    made->collected = run_.finishing || run_.runs_without_others();
    if (kind == object_kind::atomic || kind == object_kind::mutex) {
        made->initial = initial;
        made->name_of = constructed_by(run_.thread_id, run_.constructed[run_.index()]++);
        if (where.size == wide_size) made->name_of = wide(made->name_of);
    }
    recorded_step step = recorder_.record(kind == object_kind::frame ? nullptr : "construct", site, made);
    if (kind == object_kind::atomic) step.after(initial);
}

void object_lifetimes::end(memory_range where, site_id site) {
    operation_accounting_.effect();
    operation_accounting_.step(no_site);
    object* const dying = run_.objects.find(where.address);
    if (dying == nullptr) {
        run_end_.fail(violation_kind::use_after_free, "an object is destroyed that this execution has not constructed",
                      site);
    }
    if (!dying->alive) run_end_.fail_about(*dying, violation_kind::double_free, "is destroyed twice", site, "destroy");
    retire(*dying, site, "destroy");
}

void object_lifetimes::end_with_block(memory_range block) {
    for (std::size_t i = 0; i < run_.objects.size(); ++i) {
        object& each = run_.objects[i];
        if (each.alive && each.where.address >= block.address && each.where.address < block.address + block.size) {
            retire(each, no_site, "free");
        }
    }
}

void object_lifetimes::retire(object& dying, site_id site, const char* how) {
    if (used_orders_.wanted()) used_orders_.note_access(dying, true);
    if (!note_write(dying)) {
        run_end_.fail_about(dying, violation_kind::unsynchronised_destruction,
                            "is destroyed while another access is not ordered before the destruction", site, how);
    }
    if (dying.kind == object_kind::atomic) notifications_.require_none(dying.where);
    require_unused(dying, nullptr);
    dying.alive = false;
    dying.last_write = run_.step;
    recorder_.record(how, site, &dying);
}

object& object_lifetimes::begin_at(memory_range where, object_kind kind, std::uint64_t initial) {
    const harness_scope harness;
    const object* const before = run_.objects.find(where.address);
    const std::uint64_t incarnation = before == nullptr ? 0 : incarnation_of(before->name_of) + 1;
    object& made = run_.objects.add(where, kind);
    made.name_of = at_address(where.address, incarnation, where.address >= companion_lock);
    if (kind == object_kind::atomic && where.size == wide_size) made.name_of = wide(made.name_of);
    made.initial = initial;
    made.initialised = true;
    made.has_bytes = kind == object_kind::atomic;
    made.collected = run_.finishing || run_.runs_without_others();
    return made;
}

void object_lifetimes::end_by_write(object& ending, memory_range own, const code_location* at) {
    require_unused(ending, at);
    ending.alive = false;
    if (ending.kind == object_kind::atomic) notifications_.require_none(own);
}

void object_lifetimes::bring_up_to_date(memory_range where) {
    const harness_scope harness;
    for (std::size_t i = 0; i < run_.objects.size(); ++i) {
        object& each = run_.objects[i];
        if (!each.alive || !each.has_bytes || !overlap(each.where, where)) continue;
        if (each.accessed != 0) {
            bring_parts_up_to_date(each, where);
            continue;
        }
        if (!overwritten(each)) each.leave(single_threaded_memory_.newest_value(each));
    }
}

// Bytes that no atomic operation has accessed, or not since others wrote to them, are as they should be.
void object_lifetimes::bring_parts_up_to_date(object& of, memory_range where) {
    const std::uint64_t newest = single_threaded_memory_.newest_value(of);
    for (std::size_t i = 0; i < of.where.size; ++i) {
        if (!of.is_accessed(i) || !overlap({of.where.address + i, 1}, where)) continue;
        const footprint byte = of.byte(i);
        if (of.held(i) == byte.of(single_threaded_memory_.latest_value(of, byte))) of.leave(newest, byte);
    }
}

// Fails if a lock that is held, or a condition variable with waiters, ends.
void object_lifetimes::require_unused(object& ending, const code_location* at) {
    const site_id site = at == nullptr ? no_site : site_of(*at);
    const auto reads = [&](int thread_id) { return holds_shared(thread_id, ending.where.address); };
    if (ending.kind == object_kind::mutex && (ending.owner >= 0 || std::ranges::any_of(run_.order(), reads))) {
        run_end_.fail_about(ending, violation_kind::precondition, "is destroyed while it is locked", site, "destroy");
    }
    const auto has_waiters = [&] {
        const harness_scope harness;
        return ending.kind == object_kind::condition &&
               waiting_threads(single_threaded_memory_.newest_value(ending)) != 0;
    };
    if (has_waiters()) {
        run_end_.fail_about(ending, violation_kind::precondition, "is destroyed while a thread waits on it", site,
                            "destroy");
    }
}

bool object_lifetimes::holds(std::uintptr_t mutex) {
    const object* const found = run_.objects.find(mutex);
    return found != nullptr && found->alive && found->owner == run_.thread_id;
}

bool object_lifetimes::holds_shared(int thread, std::uintptr_t mutex) const {
    return std::ranges::count(run_.of(thread).shared_locks, mutex) != 0;
}

}  // namespace ordeal::detail::graph
