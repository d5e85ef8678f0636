// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/used_orders.hpp"

#include "ordeal/runtime/execution.hpp"

#include <cstddef>

namespace ordeal::detail::graph {

void used_orders::note_access(const object& target, bool writes) {
    if (target.writer != run_.thread_id) note_pair(target.writer, target.write_epoch);
    if (!writes) return;
    for (const int thread_id : run_.order()) {
        const event_index epoch = target.reads[static_cast<std::size_t>(thread_id)];
        if (thread_id != run_.thread_id && epoch != 0) note_pair(thread_id, epoch);
    }
}

void used_orders::note_pair(int earlier, event_index epoch) {
    const thread_state& me = run_.self();
    const auto thread = static_cast<std::size_t>(earlier);
    if (me.hb[thread] < epoch || me.fork_join_hb[thread] >= epoch) return;
    const harness_scope harness;
    for (std::size_t id = 0; id < run_.graph->size(); ++id) {
        const event& read = (*run_.graph)[static_cast<event_id>(id)];
        if (!read.reads_event() || !run_.views[id].done) continue;
        if (me.hb.contains(read)) note_edge(static_cast<event_id>(id), earlier, epoch);
    }
}

void used_orders::note_edge(event_id read, int earlier, event_index epoch) {
    const event& reader = (*run_.graph)[read];
    if ((*run_.graph)[reader.read().rf].thread_id == reader.thread_id) return;
    if (note_release(reader.read().rf, earlier, epoch)) note_acquire(read);
}

// Credits the releases that a read from `write` synchronises with: of a read-modify-write also those of the writes
// before it in its release sequence. Returns whether there are any.
bool used_orders::note_release(event_id write, int earlier, event_index epoch) {
    const auto thread = static_cast<std::size_t>(earlier);
    const auto known_at = [&](event_id id) { return run_.views[id].hb[thread] >= epoch; };
    bool found = false;
    while (write != initial_write && run_.views[write].message_view[thread] >= epoch) {
        found = true;
        const event& made = (*run_.graph)[write];
        if (releases(made.using_order)) {
            if (known_at(write)) site_coverage_.hand_over(run_.views[write].site);
        } else {
            const auto& path = run_.of(made.thread_id).path;
            for (std::size_t i = made.index; i-- > 0 && known_at(path[i]);) {
                const event& before = (*run_.graph)[path[i]];
                const bool fence = before.kind() == event_kind::fence && releases(before.using_order);
                if (fence) site_coverage_.hand_over(run_.views[path[i]].site);
            }
        }
        if (!made.is_rmw()) break;
        write = run_.graph->rf_of_rmw(write);
    }
    return found;
}

// Credits the acquire: of the read itself, or of a later fence that happens before this point.
void used_orders::note_acquire(event_id read) {
    const event& made = (*run_.graph)[read];
    if (acquires(made.using_order)) return site_coverage_.take_over(site_of_read(run_, read));
    const auto& path = run_.of(made.thread_id).path;
    for (std::size_t i = made.index + std::size_t{1}; i < path.size(); ++i) {
        const event& behind = (*run_.graph)[path[i]];
        if (!run_.views[path[i]].done || !run_.self().hb.contains(behind)) return;
        const bool fence = behind.kind() == event_kind::fence && acquires(behind.using_order);
        if (fence) site_coverage_.take_over(run_.views[path[i]].site);
    }
}

}  // namespace ordeal::detail::graph
