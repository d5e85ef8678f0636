// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/rc11.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

bool rc11_check::allows(const execution_graph& graph, const views_table& views) {
    if (!gather(graph, views)) return true;
    relate();
    order_all();
    return !has_cycle(psc_);
}

// Fences and thread creations have no location, so they differ in location from every access.
bool rc11_check::same_location(std::size_t a, std::size_t b) const {
    if (is_allocation(a) || is_allocation(b)) return true;
    return at(a).where == at(b).where && at(a).where != no_location && at(a).bytes.overlaps(at(b).bytes);
}

// Happens-before contains a prefix of each thread and is transitive: rows are combined from rows.
void rc11_check::relate() {
    po_neq_loc_.reset(size());
    scb_.reset(size());
    eco_.reset(size());
    for (std::size_t a = 0; a < size(); ++a) relate_by_po(a);
    for_each_two_at_a_location([](std::size_t /*id*/) { return true; },
                               [&](std::size_t a, std::size_t b) { relate_at_location(a, b); });
    for (std::size_t a = 0; a < size(); ++a) relate_by_hb(a);
}

void rc11_check::relate_by_po(std::size_t b) {
    for (const std::size_t a : threads()[at(b).thread_id]) {
        if (a == b) break;
        if (is_allocation(a) || is_allocation(b)) continue;
        scb_.add(a, b);
        if (!same_location(a, b)) po_neq_loc_.add(a, b);
    }
}

void rc11_check::relate_at_location(std::size_t a, std::size_t b) {
    // co and fr.
    const bool over = is_write(b) && co(b) > co(a);
    if (over || hb().has(a, b)) scb_.add(a, b);
    if (some_fence() && is_eco(a, b)) eco_.add(a, b);
}

// po to another location; hb; po to another location. Everything reached by the first po happens after its first
// event, so that one suffices. The ends of threads are events of the paper, and so is what waits for them; here
// they are not, but happens-before has the end of a thread as one more event of it.
void rc11_check::relate_by_hb(std::size_t a) {
    if (is_allocation(a) || !was_run(a)) return;
    const std::size_t thread_id = at(a).thread_id;
    const auto left = static_cast<event_index>(next_at_other_location(a));
    for (std::size_t other = 0; other < threads().size(); ++other) {
        if (other == thread_id) continue;
        const thread_paths::path& events = threads()[other];
        const auto is_before = [&](std::size_t d) { return !views_of(d).hb.contains(thread_id, left); };
        const auto found = std::ranges::partition_point(events, is_before);
        if (found == events.end()) continue;
        const bool without_an_event = known_before(*found, thread_id, left);
        // To a fence: by po, and hb.
        if (is_fence(*found)) scb_.add(a, *found);
        if (!without_an_event) {
            po_after_at_other_location(a, *found);
            continue;
        }
        for (auto each = found; each != events.end(); ++each) {
            if (!is_allocation(*each)) scb_.add(a, *each);
        }
    }
}

// Whether the thread of the event knew of that one before: by what is no event, as joining a thread is none.
bool rc11_check::known_before(std::size_t id, std::size_t thread_id, event_index index) const {
    const event_views& views = views_of(id);
    switch (at(id).kind()) {
        case event_kind::read: return views.hb_before_acquire.contains(thread_id, index);
        case event_kind::write:
        case event_kind::allocation: return views.hb.contains(thread_id, index);
        default: return false;
    }
}

// Adds to `a` the program-order successors, at another location, of `d` and of the events after it: those at the
// location of `d` itself come after the first event at another location.
void rc11_check::po_after_at_other_location(std::size_t a, std::size_t d) {
    scb_.add_row(a, po_neq_loc_, d);
    const std::size_t next = next_at_other_location(d);
    const thread_paths::path& events = threads()[at(d).thread_id];
    if (next != events.size()) scb_.add_row(a, po_neq_loc_, events[next]);
}

// The index of the first event after this one in program order that is at another location, as the end of the
// thread is.
std::size_t rc11_check::next_at_other_location(std::size_t id) const {
    const thread_paths::path& events = threads()[at(id).thread_id];
    std::size_t next = at(id).index + std::size_t{1};
    while (next < events.size() && same_location(id, events[next])) ++next;
    return next;
}

// psc, an edge for each pair of seq_cst events.
void rc11_check::order_all() {
    psc_.reset(size());
    from_.reset(size());
    hb_eco_.reset(size());
    for (const std::size_t a : seq_cst()) {
        from_.add_row(a, scb_, a);
        if (is_fence(a)) {
            hb().for_each(a, [&](std::size_t x) {
                from_.add_row(a, scb_, x);
                hb_eco_.add_row(a, eco_, x);
            });
        }
        for (const std::size_t b : seq_cst()) {
            if (from_.has(a, b) || (is_fence(b) && is_psc_to_fence(a, b))) psc_.add(a, b);
        }
    }
}

bool rc11_check::is_psc_to_fence(std::size_t a, std::size_t fence) const {
    if (from_.meets(a, hb_inverse(), fence)) return true;
    return is_fence(a) && (hb().has(a, fence) || hb_eco_.meets(a, hb_inverse(), fence));
}

}  // namespace ordeal::detail::graph
