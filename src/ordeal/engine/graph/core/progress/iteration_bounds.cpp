// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/progress/iteration_bounds.hpp"

#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/runtime/execution.hpp"

namespace ordeal::detail::graph {

void iteration_bounds::note_read(event_id id, std::uint64_t value, site_id site) {
    const harness_scope harness;
    thread_state& me = run_.self();
    const event& read = (*run_.graph)[id];
    me.note_input(hash_of_number(value, std::uint64_t{read.variant()} << 1 | (read.is_spurious() ? 1U : 0U)));
    me.repeated.note(site, read, value,
                     read.reads_event() && (*run_.graph)[read.read().rf].thread_id == run_.thread_id);
}

void iteration_bounds::bound_iterations(std::uintptr_t address, site_id site) {
    const object* const known = run_.objects.find(address);
    if (known == nullptr) return;
    const thread_state& me = run_.self();
    const repeated_reads::entry iterations = me.repeated.at(site, known->name_of);
    if (iterations.count < (operation_accounting_.is_long() ? iterations_explored : iterations_followed)) return;
    scheduling_points_.block(blocked::by_iterations{iterations.event, iterations.count});
}

// Two threads that take two locks, each trying the other's and giving back its own, can go on so for ever. Every
// iteration is another execution, so they are followed for a few.
void iteration_bounds::bound_lock_iterations() {
    thread_state& me = run_.self();
    me.try_lock_failed = false;
    if (me.iterations_after.effects != me.done.effects || me.iterations_after.writes != me.done.writes)
        me.lock_iterations = 0;
    me.iterations_after = me.done;
    if (++me.lock_iterations <= most_lock_iterations || !run_.at_end(me)) return;
    search_facts_.lock_bound = true;
    scheduling_points_.block(blocked::by_pruning{});
}

void iteration_bounds::yield(site_id site) {
    if (run_.runs_without_others()) return;
    operation_accounting_.enter();
    if (run_.on_main_thread()) return;
    run_.leave_single_threaded();
    run_end_.need_locks();  // it may be a sleep
    operation_accounting_.step(site);
    recorder_.record(nullptr, site, nullptr);
    thread_state& me = run_.self();
    if (me.next != me.yielded_at) ++me.yields;  // it has looked at something since
    me.yielded_at = me.next;
    if (me.yields > most_yields && run_.at_end(me)) {
        search_facts_.loop_bound = true;
        scheduling_points_.block(blocked::by_pruning{});
    }
}

void iteration_bounds::time_out(site_id site) {
    thread_state& me = run_.self();
    ++me.time_outs;
    if (run_.on_main_thread()) return;
    run_.leave_single_threaded();
    run_end_.need_locks();
    operation_accounting_.step(site);
    if (me.speculated.active || me.time_outs <= most_time_outs || !run_.at_end(me)) return;
    if (run_.strategy->replays()) return;  // a livelock that is shown again
    search_facts_.time_bound = true;
    scheduling_points_.block(blocked::by_pruning{});
}

}  // namespace ordeal::detail::graph
