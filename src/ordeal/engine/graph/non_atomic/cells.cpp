// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/cells.hpp"

#include "ordeal/runtime/memory/heap.hpp"

namespace ordeal::detail::graph {

bool cells::compared(std::uintptr_t address) const noexcept {
    return heap::contains(reinterpret_cast<const void*>(address)) || fibers_.on_stack(run_.thread_id, address);
}

// While a thread goes on in speculation, as if it had failed spuriously, it must already have made the same access
// since its last event: then the access has been checked, and others are checked against it. A write must leave the old
// value, which is compared if it is on the heap or on the thread's own stack.
void cells::require_harmless(std::uintptr_t address, bool writes) {
    const object* const found = run_.objects.find(address);
    if (found == nullptr || !found->alive || found->kind == object_kind::frame) run_end_.give_up_speculation();
    const bool noted = writes
                           ? found->writer == run_.thread_id && found->write_epoch == run_.epoch() && compared(address)
                           : found->reads[run_.index()] == run_.epoch();
    if (!noted) run_end_.give_up_speculation();
}

void cells::read(memory_range where, site_id site) {
    if (run_.self().speculated.active) return require_harmless(where.address, false);
    run_.note_access(where, false);
    operation_accounting_.enter();
    operation_accounting_.step(no_site);
    object& target = object_lifetimes_.live(where.address, site);
    run_.note_touched(where, {false}, [&](event_index since) {
        return target.reads[run_.index()] >= since || (target.writer == run_.thread_id && target.write_epoch >= since);
    });
    if (used_orders_.wanted()) [[unlikely]]
        used_orders_.note_access(target, false);
    if (!object_lifetimes_.note_read(target) && !run_end_.continues_after(violation_kind::data_race, site)) {
        run_end_.fail_about(target, violation_kind::data_race,
                            "is read while its last write is not ordered before the read", site);
    }
    if (!target.initialised) run_end_.fail_about(target, violation_kind::uninitialised_read, "was never written", site);
    recorder_.record(nullptr, site, &target).reads_from(target.last_write);
}

void cells::write(memory_range where, site_id site) {
    if (run_.self().speculated.active) return require_harmless(where.address, true);
    run_.note_access(where, true);
    operation_accounting_.enter();
    operation_accounting_.step(no_site);
    object& target = object_lifetimes_.live(where.address, site);
    // Where states are compared, the written value is compared too; but not whether a coroutine is suspended.
    if (target.kind == object_kind::frame || !compared(where.address)) {
        operation_accounting_.effect();
    } else {
        ++run_.self().done.writes;
    }
    run_.note_touched(where, {true}, [&](event_index since) {
        return target.writer == run_.thread_id && target.write_epoch >= since;
    });
    if (used_orders_.wanted()) [[unlikely]]
        used_orders_.note_access(target, true);
    if (!object_lifetimes_.note_write(target) && !run_end_.continues_after(violation_kind::data_race, site)) {
        run_end_.fail_about(target, violation_kind::data_race,
                            "is written while another access is not ordered before the write", site);
    }
    target.initialised = true;
    target.last_write = run_.step;
    recorder_.record(nullptr, site, &target);
}

}  // namespace ordeal::detail::graph
