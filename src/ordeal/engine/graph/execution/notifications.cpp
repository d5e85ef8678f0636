// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notifications of atomics. Every library notifies by the address alone, so that one that comes after the end of the atomic
// does nothing; but it is undefined ("P2616R4: Making std::atomic notification/wait operations usable in more
// situations"). It is a violation of its own kind, and can be accepted: then a notification is no access to the object.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/engine/graph/locations.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

namespace ordeal::graph {

namespace {

bool contains(memory_range range, std::uintptr_t address) noexcept { return address - range.address < range.size; }

}  // namespace

// Which object is meant by an address: that of the thread's operation just before, whatever is there by now.
location graph_memory::meant_by(std::uintptr_t address) {
    const thread_state& me = self();
    if (!quiet() && me.next > 0) {
        const location before = (*graph_)[me.path[me.next - 1]].where;
        if (is_at_address(before, address)) return before;
    }
    const object* const found = objects_.find(address);
    if (found != nullptr && found->kind == object_kind::atomic) return found->name_of;
    return found == nullptr && options_.instrumented ? at_address(address, 0, false) : no_location;
}

bool graph_memory::is_gone(std::uintptr_t address) {
    const object* const found = objects_.find(address);
    if (found != nullptr && (!found->alive || found->kind != object_kind::atomic)) return true;
    if (found == nullptr && !options_.instrumented) return true;
    if (heap::freed(address) || (found != nullptr && meant_by(address) != found->name_of)) return true;
    const auto local = options_.instrumented ? fibers::owner_of(address) : std::nullopt;
    return local && state_of(local->number).status == thread_status::finished;
}

void graph_memory::notify(memory_range where, bool all, site_id site) {
    enter();
    step(site);
    const object* const found = objects_.find(where.address);
    if (is_gone(where.address)) {
        notifies_too_late("is notified after its destruction, or while nothing orders the two", site);
    } else if (found != nullptr) {
        const bool ordered = found->writer == number_ || self().happened[found->writer] >= found->write_epoch;
        if (!ordered) {
            fail_about(*found, violation_kind::data_race, "is used while its construction is not ordered before", site);
        }
    }
    if (tracing_) record(nullptr, site, found);
    note_notification(meant_by(where.address), where.address, all, site);
}

void graph_memory::notify_address(std::uintptr_t address, bool all, site_id site) {
    enter();
    step(site);
    if (tracing_ && objects_.find(address) != nullptr) record(nullptr, site, objects_.find(address));
    note_notification(meant_by(address), address, all, no_site);
}

void graph_memory::note_notification(location meant, std::uintptr_t address, bool all, site_id site) {
    if (quiet() || meant == no_location) return;
    const thread_state& me = self();
    const harness_scope harness;
    notifications_.push_back(
        {meant, address, site, all, static_cast<std::uint8_t>(number_), me.next, me.happened, me.prefix});
}

// Atomics end in this range: each notification must have come before.
void graph_memory::require_not_notified(memory_range ending) {
    for (const notification& each : notifications_) {
        if (each.site == no_site || !contains(ending, each.address)) continue;
        if (each.number == number_ || self().happened.contains(each.number, each.index)) continue;
        notifies_too_late("is notified, and nothing orders its destruction after that", each.site);
    }
}

void graph_memory::notifies_too_late(std::string_view how, site_id site) {
    if (accepts(violation_kind::notification_after_destruction, site)) return;
    std::string message;
    {
        const harness_scope harness;
        message = "an atomic ";
        message += how;
    }
    fail(violation_kind::notification_after_destruction, message, site);
}

// Whether the execution goes on behind such a violation at this place.
bool graph_memory::accepts(violation_kind kind, site_id site) {
    const harness_scope harness;
    const site_key& where = sites().at(site).key;
    const auto covers = [&](const acceptance& each) { return each.covers(kind, where.file, where.line); };
    if (std::ranges::none_of(options_.accept, covers)) return false;
    for (const accepted_violation& each : accepted_) {
        if (each.kind == kind && each.file == where.file && each.line == where.line) return true;
    }
    accepted_.push_back({kind, where.file, where.line, 1});
    return true;
}

}  // namespace ordeal::graph
