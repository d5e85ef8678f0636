// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/heap_blocks.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/allocation.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

namespace {

// Blocks that constructors of globals allocated are elsewhere.
bool is_on_heap(const freed_block& block) noexcept {
    return heap::contains(reinterpret_cast<const void*>(block.address));
}

}  // namespace

// Considers every free that happens before this point, whether the block was reused or not: independent of what other
// threads took.
bool heap_blocks::some_freed(std::size_t size, bool of_constructors) const noexcept {
    bool some = false;
    const thread_state& me = run_.of(run_.thread_id);
    run_.freed.for_each_before(size, run_.thread_id, me.hb,
                               [&](const freed_block& each) { return !(some |= of_constructors || is_on_heap(each)); });
    return some;
}

void heap_blocks::find_candidates(std::size_t size, std::size_t alignment, bool of_constructors) {
    candidates_.clear();
    find_taken();
    std::size_t of_one_thread = 0;
    int thread_id = -1;
    run_.freed.for_each_before(size, run_.thread_id, run_.self().hb, [&](const freed_block& each) {
        if (each.name.thread_id != thread_id) of_one_thread = 0;
        thread_id = each.name.thread_id;
        if (!of_constructors && !is_on_heap(each)) return true;
        const bool is_taken = std::ranges::find(taken_, each.name.word()) != taken_.end();
        if (each.address % alignment != 0 || is_taken) return true;
        candidates_.push_back(each);
        // The blocks that one thread freed come by age: those that follow are not among the newest of all.
        return ++of_one_thread <= most_candidates;
    });
    // Of very many, the first alone are looked at.
    const auto first = static_cast<std::ptrdiff_t>(std::min(candidates_.size(), most_candidates));
    std::ranges::partial_sort(candidates_, candidates_.begin() + first, later);
}

// The names of the blocks that the graph has taken. The graph of a random execution only grows: what it has had before
// is known, all but its last event, which is the allocation itself.
void heap_blocks::find_taken() {
    const std::vector<event>& events = run_.graph->events();
    if (!run_.graph->is_indexed()) {
        taken_.clear();
        searched_ = 0;
    }
    for (; searched_ < events.size(); ++searched_) {
        if (events[searched_].takes_freed_block()) taken_.push_back(events[searched_].allocation().block);
    }
    --searched_;
}

// Whether all others have finished before this point: like finish(), nothing runs concurrently any more.
bool heap_blocks::is_the_last() const noexcept {
    const view& hb = run_.self().hb;
    return run_.order().size() > 1 && std::ranges::all_of(run_.order(), [&](int thread_id) {
               const thread_state& each = run_.of(thread_id);
               const auto index = static_cast<std::size_t>(thread_id);
               return thread_id == run_.thread_id ||
                      (each.status == thread_status::finished && hb[index] >= each.hb[index]);
           });
}

// Bounds the freed blocks that a new allocation may take.
void heap_blocks::bound_candidates() {
    if (taken_.size() >= options_.reuse) {
        search_facts_.reuse_bound |= !candidates_.empty() && !is_the_last();
        candidates_.clear();
    } else if (candidates_.size() > most_candidates) {
        search_facts_.block_bound |= !is_the_last();
        candidates_.resize(most_candidates);
    }
}

void heap_blocks::choose_block(event_id id) {
    const harness_scope harness;
    bound_candidates();
    if (run_.strategy->explores()) {
        if (!candidates_.empty() && !scheduling_points_.take_snapshot()) return;
        for (const freed_block& each : candidates_) {
            (*run_.graph)[id].allocation().block = each.name.word();
            run_.strategy->emit(*run_.graph);
        }
        (*run_.graph)[id].allocation().block = 0;
        if (!run_.strategy->go_on()) run_end_.abandon();
    }
    const std::size_t chosen = run_.strategy->choose(candidates_.size() + 1, candidates_.size() + 1);
    if (chosen != 0) (*run_.graph)[id].allocation().block = candidates_[chosen - 1].name.word();
}

// A replayed graph itself says whether there was a choice, whatever the bound of the search that made it.
bool heap_blocks::chooses_block(std::size_t size, bool of_constructors) {
    if (!some_freed(size, of_constructors)) return false;
    const thread_state& me = run_.self();
    if (run_.strategy->replays())
        return !run_.at_end(me) && (*run_.graph)[me.path[me.next]].kind() == event_kind::allocation;
    search_facts_.reuse_bound |= options_.reuse == 0;
    return options_.reuse != 0;
}

std::uintptr_t heap_blocks::freed_before(std::size_t size, std::size_t alignment) {
    const bool of_constructors = detail::consume_static_block_reuse();
    if (run_.single_threaded()) return 0;
    {
        const harness_scope harness;
        const bool unordered = run_.freed.allocates(size, run_.thread_id, run_.self().hb);
        if (unordered && run_.elided_locks) run_end_.need_locks();
        search_facts_.order_assumed |= unordered;
        if (unordered && run_.observer != nullptr) run_.observer->allocates_unordered(size);
    }
    if (!chooses_block(size, of_constructors)) return 0;
    operation_accounting_.undoable_effect();
    thread_state& me = run_.self();
    const bool fresh = scheduling_points_.await_schedule();
    operation_accounting_.step(no_site);
    const event_id id = memory_.next_event(me, event_kind::allocation, no_site);
    if (fresh) {
        const harness_scope harness;
        find_candidates(size, alignment, of_constructors);
    }
    if (fresh) choose_block(id);
    const std::uint64_t name = (*run_.graph)[id].allocation().block;
    const std::uintptr_t address = name == 0 ? 0 : take_block(name, size);
    memory_.finish_without_access(me, id, no_site);
    if (address != 0 && non_atomic_memory_ != nullptr) non_atomic_memory_->reuse({address, size});
    return address;
}

std::uintptr_t heap_blocks::take_block(std::uint64_t name, std::size_t size) {
    freed_block found;
    run_.freed.for_each_before(size, run_.thread_id, run_.self().hb, [&](const freed_block& each) {
        if (each.name.word() == name) found = each;
        return found.address == 0;
    });
    if (found.address == 0 || (is_on_heap(found) && !heap::freed(found.address))) {
        run_end_.diverge("other memory was freed than before", no_site);
    }
    recorder_.record("allocate", no_site, nullptr)
        .about({found.address, size})
        .reads_from(found.step)
        .note("of memory that was freed");
    return found.address;
}

void heap_blocks::allocated(memory_range block) {
    operation_accounting_.undoable_effect();
    {
        const harness_scope harness;
        thread_state& me = run_.self();
        me.blocks.allocate(block.address);
        me.done.blocks = me.blocks.hash();
    }
    operation_accounting_.step(no_site);
    recorder_.record("allocate", no_site, nullptr).about(block);
    recorder_.places().allocated(block, run_.step);
    if (non_atomic_memory_ != nullptr) non_atomic_memory_->allocate(block);
}

// Also ends the lifetime of objects whose destructors did not run.
void heap_blocks::freed(memory_range block) {
    thread_state& me = run_.self();
    if (me.blocks.free(block.address)) {
        operation_accounting_.undoable_effect();
        me.done.blocks = me.blocks.hash();
    } else {
        operation_accounting_.effect();
    }
    operation_accounting_.step(no_site);
    recorder_.places().freed(block, run_.step);
    object_lifetimes_.end_with_block(block);
    if (non_atomic_memory_ != nullptr) non_atomic_memory_->free(block);
    recorder_.record("free", no_site, nullptr).about(block);
    const harness_scope harness;
    const memory_range whole{block.address, heap::size_class(block.size)};
    if (!run_.single_threaded()) {
        const bool unordered = run_.freed.frees_unordered(whole.size, run_.thread_id, run_.self().hb);
        if (unordered && run_.elided_locks) run_end_.need_locks();
        search_facts_.order_assumed |= unordered;
        if (run_.observer != nullptr) run_.observer->freed(block, whole.size, unordered);
    }
    run_.freed.add(whole, run_.thread_id, run_.self().hb, run_.step);
}

}  // namespace ordeal::detail::graph
