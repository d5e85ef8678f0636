// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/notifications.hpp"

#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

namespace {

bool contains(memory_range range, std::uintptr_t address) noexcept { return address - range.address < range.size; }

}  // namespace

location notifications::meant_by(std::uintptr_t part) {
    const std::uintptr_t address = run_.mixed_sizes->of({part, 1}).object.address;
    const thread_state& me = run_.self();
    if (!run_.single_threaded() && me.next > 0) {
        const location before = (*run_.graph)[me.path[me.next - 1]].where;
        if (is_at_address(before, address)) return before;
    }
    const object* const found = run_.objects.find(address);
    if (found != nullptr && found->kind == object_kind::atomic) return found->name_of;
    return found == nullptr && options_.instrumented ? at_address(address, 0, false) : no_location;
}

bool notifications::is_gone(std::uintptr_t address) {
    const object* const found = run_.objects.find(address);
    if (found != nullptr && (!found->alive || found->kind != object_kind::atomic)) return true;
    if (found == nullptr && !options_.instrumented) return true;
    if (heap::freed(address) || (found != nullptr && meant_by(address) != found->name_of)) return true;
    const auto local = options_.instrumented ? fibers::owner_of(address) : std::nullopt;
    return local && run_.of(local->thread_id).status == thread_status::finished;
}

void notifications::notify(memory_range where, bool all, site_id site) {
    operation_accounting_.enter();
    operation_accounting_.step(site);
    const accessed_bytes at = run_.mixed_sizes->of(where);
    const std::uintptr_t address = at.object.address;
    const object* const found = run_.objects.find(address);
    if (is_gone(address)) {
        comes_too_late("is notified after its destruction, or while nothing orders the two", site, where.address,
                       false);
    } else if (found != nullptr) {
        const bool ordered = found->writer == run_.thread_id || run_.self().hb[found->writer] >= found->write_epoch;
        if (!ordered) {
            run_end_.fail_about(*found, violation_kind::data_race,
                                "is used while its construction is not ordered before the use", site);
        }
    }
    recorded_step step = recorder_.record(nullptr, site, found);
    if (found == nullptr || at.bytes.is_part()) step.names(where);
    note(meant_by(address), where, all, site);
}

void notifications::notify_address(std::uintptr_t part, bool all, site_id site) {
    const std::uintptr_t address = run_.mixed_sizes->of({part, 1}).object.address;
    operation_accounting_.enter();
    operation_accounting_.step(site);
    if (const object* const found = run_.objects.find(address); found != nullptr)
        recorder_.record(nullptr, site, found);
    note(meant_by(address), {part, 1}, all, no_site);
}

void notifications::note(location meant, memory_range where, bool all, site_id site) {
    const std::uintptr_t address = where.address;
    if (run_.single_threaded() || meant == no_location) return;
    const thread_state& me = run_.self();
    const harness_scope harness;
    run_.note_touched({address, 1}, {true, true}, [&](event_index since) { return has_notified(address, since); });
    run_.notifications.push_back({meant, address, site, all, static_cast<std::uint8_t>(run_.thread_id), me.next, me.hb,
                                  me.porf, run_.mixed_sizes->of(where).bytes});
}

bool notifications::has_notified(std::uintptr_t address, event_index since) const {
    return std::ranges::any_of(run_.notifications, [&](const notification& each) {
        return each.thread_id == run_.thread_id && each.address == address && each.index + 1 >= since;
    });
}

void notifications::require_none(memory_range ending) {
    const auto may_notify = [&](const arrival& each) { return contains(ending, each.address) && run_.may_go_on(each); };
    if (std::ranges::any_of(run_.arrivals, may_notify)) run_end_.order_arrivals();
    for (const notification& each : run_.notifications) {
        if (each.site == no_site || !contains(ending, each.address)) continue;
        if (each.thread_id == run_.thread_id || run_.self().hb.contains(each)) continue;
        comes_too_late("is notified, and nothing orders its destruction after that", each.site, each.address, true);
    }
}

void notifications::comes_too_late(std::string_view how, site_id site, std::uintptr_t address, bool destroys) {
    if (acceptances_.cover(violation_kind::notification_after_destruction, site)) return;
    std::string message;
    {
        const harness_scope harness;
        message = "an atomic ";
        message += how;
    }
    // Accepted at the notification, wherever it is found: the step is what the running thread does.
    run_end_.fail(violation_kind::notification_after_destruction, message, destroys ? no_site : site,
                  {.where = {address, 1}, .words = "an atomic", .operation = destroys ? "destroy" : ""});
}

}  // namespace ordeal::detail::graph
