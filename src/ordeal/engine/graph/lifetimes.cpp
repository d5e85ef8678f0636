// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain accesses, lifetimes and memory: no events, but checked by happens-before in every run.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/engine/graph/locations.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

namespace ordeal::graph {

// Words are put together outside the heap on trial, where an injected failure may be waiting.
void graph_memory::fail_about(const object& what, violation_kind kind, std::string_view happened, site_id site) {
    std::string message;
    {
        const harness_scope harness;
        message = what.name() + " ";
        message += happened;
    }
    fail(kind, message, site);
}

void graph_memory::fail_not_alive(object* found, std::uintptr_t address, site_id site) {
    if (found == nullptr) {
        fail(violation_kind::use_after_free,
             heap::freed(address) ? "an operation on memory that has been freed"
                                  : "an operation on an object that this execution has not constructed",
             site);
    }
    const bool raced = !note_read(*found);
    fail_about(*found, raced ? violation_kind::unsynchronised_destruction : violation_kind::use_after_free,
               raced ? "is used though its destruction is not ordered after that" : "is used after its destruction",
               site);
}

// Finds the object for an operation on it, which is a read of its lifetime.
object& graph_memory::touch(std::uintptr_t address, site_id site, object_kind kind) {
    object& found = live(address, site);
    if (found.kind != kind) fail(violation_kind::use_after_free, "an operation on an object of another kind", site);
    if (!note_read(found)) {
        fail_about(found, violation_kind::data_race, "is used while its construction is not ordered before", site);
    }
    return found;
}

// While a spurious failure is tried out, a plain access must be one that this thread has made since its last event: then
// it has been checked, and others are checked against it. What it writes must be what was there, and is compared where it
// lies in the heap or on the thread's own stack.
void graph_memory::require_harmless(std::uintptr_t address, bool writes) {
    const object* const found = objects_.find(address);
    if (found == nullptr || !found->alive || found->kind == object_kind::frame) give_up_guess();
    const bool compared = heap::contains(reinterpret_cast<const void*>(address)) || stacks_.on_stack(number_, address);
    const bool noted = writes ? found->writer == number_ && found->write_epoch == epoch() && compared
                              : found->reads[index()] == epoch();
    if (!noted) give_up_guess();
}

void graph_memory::read(memory_range where, site_id site) {
    if (self().guess.active) return require_harmless(where.address, false);
    enter();
    step(no_site);
    object& target = live(where.address, site);
    if (!note_read(target)) {
        fail_about(target, violation_kind::data_race, "is read while its last write is not ordered before", site);
    }
    if (!target.initialised) fail_about(target, violation_kind::uninitialised_read, "was never written", site);
    if (tracing_) record(nullptr, site, &target)->reads_from = target.last_write;
}

void graph_memory::write(memory_range where, site_id site) {
    if (self().guess.active) return require_harmless(where.address, true);
    effect();
    step(no_site);
    object& target = live(where.address, site);
    if (!note_write(target)) {
        fail_about(target, violation_kind::data_race, "is written while another access is not ordered before", site);
    }
    target.initialised = true;
    target.last_write = step_;
    if (tracing_) record(nullptr, site, &target);
}

void graph_memory::begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) {
    effect();
    step(no_site);
    if (heap::freed(where.address)) {
        fail(violation_kind::use_after_free, "an object is constructed in memory that has been freed", site);
    }
    object* made = nullptr;
    {
        const harness_scope harness;
        made = &objects_.add(where, kind);
    }
    made->writer = static_cast<std::uint8_t>(number_);
    made->write_epoch = epoch();
    made->initialised = kind != object_kind::cell || initial != 0;
    made->last_write = made->began = step_;
    made->collected = finishing_;
    if (kind == object_kind::atomic || kind == object_kind::mutex) {
        made->initial = initial;
        made->name_of = constructed_by(number_, locations_[index()]++);
    }
    if (!tracing_) return;
    trace_step* const entry = record(kind == object_kind::frame ? nullptr : "construct", site, made);
    if (kind == object_kind::atomic) entry->after = initial;
}

void graph_memory::end_life(memory_range where, site_id site) {
    effect();
    step(no_site);
    object* const dying = objects_.find(where.address);
    if (dying == nullptr) {
        fail(violation_kind::use_after_free, "an object is destroyed that this execution has not constructed", site);
    }
    if (!dying->alive) fail_about(*dying, violation_kind::double_free, "is destroyed twice", site);
    retire(*dying, site, "destroy");
}

void graph_memory::retire(object& dying, site_id site, const char* how) {
    if (!note_write(dying)) {
        fail_about(dying, violation_kind::unsynchronised_destruction,
                   "is destroyed while another access is not ordered before", site);
    }
    if (dying.kind == object_kind::atomic) require_not_notified(dying.where);
    require_unused(dying, nullptr);
    dying.alive = false;
    dying.last_write = step_;
    if (tracing_) record(how, site, &dying);
}

void graph_memory::allocated(memory_range block) {
    effect();
    step(no_site);
    if (options_.instrumented) shadow_.allocate(block);
}

// Objects whose destructors did not run end here too.
void graph_memory::freed(memory_range block) {
    effect();
    step(no_site);
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        object& each = objects_[i];
        if (each.alive && each.where.address >= block.address && each.where.address < block.address + block.size) {
            retire(each, no_site, "free");
        }
    }
    if (options_.instrumented) free_bytes(block);
    const harness_scope harness;
    const memory_range whole{block.address, heap::size_class(block.size)};
    if (!quiet()) met_.order_assumed |= freed_.frees_unordered(whole.size, number_, self().happened);
    freed_.add(whole, number_, self().happened, step_);
}

}  // namespace ordeal::graph
