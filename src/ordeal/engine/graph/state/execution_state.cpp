// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/state/execution_state.hpp"

namespace ordeal::graph {

void execution_state::begin(execution_graph& whole) {
    graph = &whole;
    for (int thread = 0; thread <= thread_ids->count(); ++thread) {
        of(thread).begin(thread_ids->is_fixed(thread) ? thread_status::ready : thread_status::absent);
    }
    views.assign(whole.size(), {});
    for (std::size_t id = 0; id < whole.size(); ++id) {
        of(whole[static_cast<event_id>(id)].thread_id).path.push_back(static_cast<event_id>(id));
    }
    objects.clear();
    constructed = {};
    freed.clear();
    notifications.clear();
    waits.clear();
    condition_waits.clear();
    accepted.clear();
    thread_id = main_thread_id;
    chosen = -1;
    passed_over = false;
    executed = 0;
    given = whole.size();
    step = operations = 0;
    quiet_reads = 0;
    finishing = before_others = false;
    model.begin();
    executing = true;
}

event_id execution_state::in_vain_with(const thread_state& thread) const noexcept {
    return thread.next < 2 ? initial_write : (*graph)[thread.path[thread.next - std::size_t{2}]].in_vain_with;
}

bool execution_state::has_to_wait(int thread) const noexcept {
    const auto& needed = of(thread).needed;
    if (!needed) return false;
    const event_id newest = graph->newest(needed->where);
    if (newest != initial_write && newest == needed->but_for) return true;
    return waits_on(needed->what, newest == initial_write ? needed->initial : (*graph)[newest].value, thread);
}

const object* execution_state::object_at(location where) const noexcept {
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i].name_of == where) return &objects[i];
    }
    return nullptr;
}

}  // namespace ordeal::graph
