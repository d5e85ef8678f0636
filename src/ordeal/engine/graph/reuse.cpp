// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that was freed and comes back. An allocation that has a choice is an event: it takes fresh memory, or a block
// whose free happens before it. Such blocks are those of what the thread has seen, so that no other event, and no revisit
// that leaves the allocation where it is, changes whether there is a choice. Fresh memory is what a search takes by itself:
// an allocation with anything else is never deleted by a revisit.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>

namespace ordeal::graph {

namespace {

bool is_taken(const execution_graph& graph, const freed_block& block) {
    return std::ranges::any_of(graph.events(), [&](const event& each) {
        return each.kind == event_kind::allocation && each.value == block.name.word();
    });
}

std::ptrdiff_t reuses(const execution_graph& graph) {
    return std::ranges::count_if(graph.events(), [](const event& each) { return each.takes_freed_block(); });
}

}  // namespace

// Whatever happens before this point and is freed, taken or not: so it does not depend on what other threads took.
bool graph_memory::some_freed(std::size_t size) const noexcept {
    bool some = false;
    const thread_state& me = state_of(number_);
    freed_.for_each_before(size, number_, me.happened, [&](const freed_block&) { some = true; });
    return some;
}

void graph_memory::find_candidates(std::size_t size, std::size_t alignment) {
    candidates_.clear();
    freed_.for_each_before(size, number_, self().happened, [&](const freed_block& each) {
        if (each.address % alignment == 0 && !is_taken(*graph_, each)) candidates_.push_back(each);
    });
    std::ranges::sort(candidates_, later);
}

// What a new allocation may take besides fresh memory; the search has no room for all of it where there is too much.
void graph_memory::bound_candidates() {
    if (reuses(*graph_) >= static_cast<std::ptrdiff_t>(options_.reuse)) {
        met_.reuse_bound |= !candidates_.empty();
        candidates_.clear();
    } else if (candidates_.size() > most_candidates) {
        met_.block_bound = true;
        candidates_.resize(most_candidates);
    }
}

void graph_memory::choose_block(event_id id) {
    const harness_scope harness;
    bound_candidates();
    if (sink_ != nullptr) {
        for (const freed_block& each : candidates_) {
            (*graph_)[id].value = each.name.word();
            sink_->emit(*graph_);
        }
        (*graph_)[id].value = 0;
        if (!sink_->go_on()) abandon();
    }
    const std::size_t chosen = chooser_ != nullptr ? chooser_->choose(candidates_.size() + 1) : 0;
    if (chosen != 0) (*graph_)[id].value = candidates_[chosen - 1].name.word();
}

// A graph that is only run again says itself whether there was a choice, whatever the bound of the search that made it.
bool graph_memory::chooses_block(std::size_t size) {
    if (!some_freed(size)) return false;
    const thread_state& me = self();
    const bool searching = sink_ != nullptr || chooser_ != nullptr;
    if (!searching) return !at_end(me) && (*graph_)[me.path[me.next]].kind == event_kind::allocation;
    met_.reuse_bound |= options_.reuse == 0;
    return options_.reuse != 0;
}

std::uintptr_t graph_memory::freed_before(std::size_t size, std::size_t alignment) {
    if (quiet()) return 0;
    {
        const harness_scope harness;
        met_.order_assumed |= freed_.allocates(size, number_, self().happened);
    }
    if (!chooses_block(size)) return 0;
    effect();
    thread_state& me = self();
    const bool fresh = at_end(me);
    if (fresh) await_turn(me);
    step(no_site);
    const event_id id = next_event(me, event_kind::allocation, no_site);
    if (fresh) {
        const harness_scope harness;
        find_candidates(size, alignment);
    }
    if (fresh) choose_block(id);
    const std::uint64_t name = (*graph_)[id].value;
    const std::uintptr_t address = name == 0 ? 0 : take_block(name, size);
    describe_write(me, id, initial_write);
    finish_event(me, id, no_site);
    // The memory changes hands with a write to it: who still looks at it by an old pointer races with that.
    if (address != 0 && options_.instrumented) note_access({address, size}, byte_access::write);
    return address;
}

std::uintptr_t graph_memory::take_block(std::uint64_t name, std::size_t size) {
    freed_block found;
    freed_.for_each_before(size, number_, self().happened, [&](const freed_block& each) {
        if (each.name.word() == name) found = each;
    });
    if (!heap::freed(found.address)) diverge("other memory was freed than before", no_site);
    if (tracing_) {
        const harness_scope harness;
        record("allocate", no_site, nullptr)->note = "the memory that was freed in step " + std::to_string(found.step);
    }
    return found.address;
}

}  // namespace ordeal::graph
