// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half of relacy_runtime without a counterpart in Relacy: non-atomic accesses, lifetimes, the trace.
#include "ordeal/engine/relacy/relacy_runtime.hpp"

#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ordeal::detail::relacy {

namespace {

// One of 64 bins by size; very large blocks share the last.
std::size_t bin_of(memory_range block) noexcept { return std::min<std::size_t>(heap::size_class(block.size) / 16, 63); }

}  // namespace

void relacy_runtime::read(memory_range where, site_id site) {
    next_step();
    object& target = live(where.address, site);
    if (!shadow_read(target.shadow)) {
        fail_about(target, violation_kind::data_race, "is read while its last write is not ordered before the read",
                   site);
    }
    if (!target.initialised) fail_about(target, violation_kind::uninitialised_read, "was never written", site);
    if (tracing_) record(nullptr, site, &target)->reads_from = target.last_write;
}

void relacy_runtime::write(memory_range where, site_id site) {
    next_step();
    object& target = live(where.address, site);
    if (!shadow_write(target.shadow)) {
        fail_about(target, violation_kind::data_race, "is written while another access is not ordered before the write",
                   site);
    }
    target.initialised = true;
    target.last_write = step_;
    if (tracing_) record(nullptr, site, &target);
}

void relacy_runtime::begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) {
    next_step();
    if (heap::freed(where.address)) {
        fail(violation_kind::use_after_free, "an object is constructed in memory that has been freed", site);
    }
    object* made = nullptr;
    {
        const harness_scope harness;
        made = &objects_.add(where, kind);
    }
    made->shadow = shadow_create();
    shadow_begin(made->shadow);
    made->initialised = kind != object_kind::cell || initial != 0;
    made->last_write = step_;
    if (kind == object_kind::atomic) {
        made->handle = atomic_create({.value = initial,
                                      .step = step_,
                                      .site = no_site,
                                      .thread = static_cast<std::int16_t>(thread()),
                                      .size = static_cast<std::uint8_t>(where.size)});
        made->writes = 1;
    } else if (kind == object_kind::mutex) {
        made->handle = mutex_create();
    }
    if (!tracing_) return;
    trace_step* const entry = record(kind == object_kind::frame ? nullptr : "construct", site, made);
    if (kind == object_kind::atomic) entry->set_after(initial);
}

void relacy_runtime::end_life(memory_range where, site_id site) {
    next_step();
    object* const dying = objects_.find(where.address);
    if (dying == nullptr) {
        fail(violation_kind::use_after_free, "an object is destroyed that this execution has not constructed", site);
    }
    if (!dying->alive) fail_about(*dying, violation_kind::double_free, "is destroyed twice", site);
    note_sharing(*dying);
    retire(*dying, site, "destroy");
}

void relacy_runtime::retire(object& dying, site_id site, const char* how) {
    if (executing_ && !shadow_write(dying.shadow)) {
        fail_about(dying, violation_kind::unsynchronised_destruction,
                   "is destroyed while another access is not ordered before the destruction", site);
    }
    dying.alive = false;
    if (dying.kind == object_kind::atomic) atomic_destroy(dying.handle);
    if (dying.kind == object_kind::mutex) mutex_destroy(dying.handle);
    dying.handle = nullptr;
    dying.last_write = step_;
    if (executing_ && tracing_) record(how, site, &dying);
}

// Another interleaving has the allocation before or after each free.
void relacy_runtime::allocated(memory_range block) {
    next_step();
    limits_.reuse |= freed_.test(bin_of(block));
}

// Also ends the lifetime of objects whose destructors did not run.
void relacy_runtime::freed(memory_range block) {
    next_step();
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        object& each = objects_[i];
        if (each.alive && each.where.address >= block.address && each.where.address < block.address + block.size) {
            retire(each, no_site, "free");
        }
    }
    freed_.set(bin_of(block));
}

// The caller adds the details.
trace_step* relacy_runtime::record(const char* operation, site_id site, const object* of) {
    const harness_scope harness;
    trace_step entry = step_at(site, operation, of);
    entry.thread = thread();
    std::array<std::uint64_t, 8> entries{};
    const std::size_t size = clock(entries.data(), entries.size());
    entry.clock.assign(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(size));
    entry.index = step_;
    trace_.push_back(std::move(entry));
    return &trace_.back();
}

void relacy_runtime::record_value(trace_step* entry, const stored_value& seen, const object& of) const {
    entry->set_before(seen.value);
    entry->reads_from = seen.step;
    entry->stale = seen.step != atomic_newest(of.handle).step;
}

}  // namespace ordeal::detail::relacy
