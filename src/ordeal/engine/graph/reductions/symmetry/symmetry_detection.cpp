// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/symmetry/symmetry_detection.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/state/floating_point.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace ordeal::detail::graph {

namespace {

bool have_own_blocks(const thread_beginning& a, const thread_beginning& b) noexcept { return a.argument != b.argument; }

// A block of its own is compared by what it holds. Pointers in it must be the same, so that nothing that it leads to is
// one thread's.
bool began_equally(const thread_beginning& a, const thread_beginning& b) noexcept {
    if (a.routine != b.routine || a.time != b.time || a.inherited != b.inherited) return false;
    if (!have_own_blocks(a, b)) return true;
    return a.block_at_first != 0 && a.block_at_first == b.block_at_first && a.bytes == b.bytes;
}

}  // namespace

void symmetry_detection::enforce(const std::vector<symmetry_group>& groups) {
    observe(false);
    if (groups == groups_) return;
    const harness_scope harness;
    groups_ = groups;
    group_of_ = {};
    for (unsigned group = 1; group <= groups_.size(); ++group) {
        for (const std::uint8_t member : of_number(group).members) group_of_[member] = group;
    }
}

void symmetry_detection::refute_symmetry(std::string_view why) {
    const harness_scope harness;
    if (symmetry_refuted_.empty()) symmetry_refuted_ = why;
}

void symmetry_detection::note_difference(int thread_id, std::string_view why) {
    if (detects_) run_.of(thread_id).began.distinguished = true;
    if (group_of(thread_id) != 0) refute_symmetry(why);
}

// A block of the creator's, which nobody else can have had since before: the creator gives it away as a whole.
thread_beginning symmetry_detection::beginning_of(int creator, const void* argument) const {
    const thread_start start = instrumented().start_of(argument);
    thread_beginning result;
    result.routine = start.routine;
    result.argument = start.argument;
    result.inherited = hash_of_number(floating_point::here().word(), instrumented().inherited_from(creator - 1));
    result.time = instrumented().time_of(creator - 1);
    result.hb = run_.of(creator).hb;
    const auto* const block = reinterpret_cast<const void*>(start.argument);
    const auto arena = heap::owner_of(start.argument);
    if (block == nullptr || !arena || arena->thread + 1 != creator) return result;
    const std::size_t size = heap::size_of(block);
    if (size == 0 || size > thread_beginning::most_bytes) return result;
    result.block = result.block_at_first = size;
    std::memcpy(result.bytes.data(), block, size);
    return result;
}

// Memory that the creator takes is its own.
bool symmetry_detection::was_created_next(const thread_state& creator, event_index event, int thread_id) const {
    if (creator.newest == 0 || !began_equally(run_.of(creator.newest).began, run_.of(thread_id).began)) return false;
    for (std::size_t i = creator.newest_at + std::size_t{1}; i < event; ++i) {
        if ((*run_.graph)[creator.path[i]].kind() != event_kind::allocation) return false;
    }
    return true;
}

void symmetry_detection::created(event_index event, int thread_id) {
    const harness_scope harness;
    thread_state& creator = run_.self();
    thread_state& child = run_.of(thread_id);
    child.began = beginning_of(run_.thread_id, child.argument);
    note_difference(run_.thread_id, "it creates a thread");
    if (child.predecessors != 0) note_difference(thread_id, "another thread follows it");
    const bool alike = was_created_next(creator, event, thread_id);
    if (detects_ && alike) child.began.before = creator.newest;
    if (group_of(thread_id) != 0 && child.predecessors == 0) enforce_created(thread_id, alike);
    creator.newest = thread_id;
    creator.newest_at = event;
}

// What the creator does between two creations comes before the later thread, and not before the earlier one. So no
// thread is told of it. Nobody else may access the block that a thread has of its own: whose it is would tell the
// threads apart.
void symmetry_detection::enforce_created(int thread_id, bool alike) {
    const symmetry_group& group = of_number(group_of(thread_id));
    const thread_beginning& began = run_.of(thread_id).began;
    const auto place = std::ranges::find(group.members, thread_id);
    if (place != group.members.begin()) {
        const std::uint8_t before = *std::prev(place);
        if (!alike || run_.self().newest != before ||
            have_own_blocks(run_.of(before).began, began) != group.own_blocks) {
            refute_symmetry("they begin differently");
        }
        run_.of(thread_id).hb = run_.of(group.members.front()).began.hb;
    }
    if (!group.own_blocks) return;
    if (began.block == 0) return refute_symmetry("they begin differently");
    if (non_atomic_memory_ != nullptr)
        non_atomic_memory_->shadow().make_private({began.argument, began.block}, thread_id);
}

// Where one of them is joined, the thread that does so may not yet tell that one from the others.
std::span<const std::uint8_t> symmetry_detection::joined(int thread_id) {
    thread_state& me = run_.self();
    me.newest = 0;
    const harness_scope harness;
    ordered_.assign(1, static_cast<std::uint8_t>(thread_id));
    const unsigned group = group_of(thread_id);
    if (group == 0) return ordered_;
    if (instrumented().is_result_requested(thread_id - 1)) refute_symmetry("their results are read");
    run_.of(thread_id).joined_by = run_.thread_id;
    run_.changed[static_cast<std::size_t>(thread_id)] = true;
    if (me.joins.group != 0 && me.joins.group != group)
        refute_symmetry("a thread of another group is joined in between");
    note_between(me);
    me.joins.group = group;
    me.joins.at = me.next;
    bool all = true;
    for (const std::uint8_t member : of_number(group).members) {
        const thread_state& each = run_.of(member);
        all &= each.joined_by != 0;
        if (each.status == thread_status::absent || (each.joined_by != 0 && each.joined_by != run_.thread_id)) {
            refute_symmetry("one of them is joined before all are created, or by another thread");
        }
    }
    if (!all) {
        ordered_.clear();
        return ordered_;
    }
    me.joins.group = 0;
    ordered_ = of_number(group).members;
    return ordered_;
}

void symmetry_detection::note_between(thread_state& joining) {
    joined_group& joins = joining.joins;
    if (joins.group == 0 || joins.at == joining.next) return;
    if (joins.end_of_between == 0) joins.first_between = joins.at;
    joins.end_of_between = joining.next;
}

// Nobody else has to do with the atomic in this execution, so it is all the same when this was done.
bool symmetry_detection::is_private(const event& each) const {
    if (!each.accesses_memory()) return false;
    return std::ranges::all_of(run_.graph->events(), [&](const event& other) {
        return other.where != each.where || other.thread_id == each.thread_id;
    });
}

void symmetry_detection::finished() {
    const thread_beginning& began = run_.self().began;
    if (began.routine == 0) return;
    if (instrumented().time_of(run_.thread_id - 1) != began.time) note_difference(run_.thread_id, "time passes in it");
    const unsigned group = group_of(run_.thread_id);
    if (group != 0 && of_number(group).own_blocks && began.block != 0)
        refute_symmetry("its argument is left to others");
}

// What was freed between two creations could come back to the later thread alone.
void symmetry_detection::allocates_unordered(std::size_t size) {
    if (detects_) return;
    if (run_.self().joins.group != 0)
        refute_symmetry("memory is allocated after one of them is joined and before the next");
    for (const int thread_id : run_.order()) {
        const auto& sizes = run_.of(thread_id).freed_between;
        if (thread_id == run_.thread_id || sizes.front() == 0) continue;
        if (sizes.back() != 0 || std::ranges::find(sizes, size) != sizes.end()) {
            return refute_symmetry("memory that is freed between two creations could come back");
        }
    }
}

// Of one group some are created, and not all.
bool symmetry_detection::comes_between(int creator) const {
    const int newest = run_.of(creator).newest;
    const unsigned group = newest == 0 ? 0 : group_of(newest);
    return group != 0 && of_number(group).members.back() != newest;
}

void symmetry_detection::freed(memory_range block, std::size_t size, bool unordered) {
    thread_state& me = run_.self();
    if (me.began.block != 0 && me.began.argument == block.address) me.began.block = 0;
    if (!comes_between(run_.thread_id)) return;
    if (unordered) refute_symmetry("memory that is freed between two creations could come back");
    auto place = std::ranges::find_if(me.freed_between, [&](std::size_t each) { return each == 0 || each == size; });
    if (place != me.freed_between.end()) *place = size;
}

std::vector<symmetry_group> symmetry_detection::found() const {
    const harness_scope harness;
    std::vector<symmetry_group> result;
    for (const int thread_id : run_.order()) {
        const thread_state& last = run_.of(thread_id);
        const auto follows_it = [&](int other) { return run_.of(other).began.before == thread_id; };
        if (last.status == thread_status::absent || last.began.before == 0 ||
            std::ranges::any_of(run_.order(), follows_it)) {
            continue;
        }
        symmetry_group group;
        bool symmetry_refuted = false;
        for (int each = thread_id; each != 0; each = run_.of(each).began.before) {
            group.members.push_back(static_cast<std::uint8_t>(each));
            symmetry_refuted |= run_.of(each).began.distinguished || run_.of(each).asked_id;
        }
        std::ranges::reverse(group.members);
        const auto began = [&](std::size_t i) -> const thread_beginning& { return run_.of(group.members[i]).began; };
        group.own_blocks = have_own_blocks(began(0), began(1));
        for (std::size_t i = 0; i < group.members.size(); ++i) {
            symmetry_refuted |= i > 0 && have_own_blocks(began(i - 1), began(i)) != group.own_blocks;
            const bool over = run_.of(group.members[i]).status == thread_status::finished;
            symmetry_refuted |= group.own_blocks && over && began(i).block != 0;
        }
        if (!symmetry_refuted) result.push_back(std::move(group));
    }
    return result;
}

const std::string& symmetry_detection::symmetry_refuted() {
    for (const int thread_id : run_.order()) {
        thread_state& each = run_.of(thread_id);
        note_between(each);
        for (std::size_t i = each.joins.first_between; i < each.joins.end_of_between; ++i) {
            if (is_private((*run_.graph)[each.path[i]])) continue;
            refute_symmetry("something is done after one of them is joined and before the next");
        }
    }
    return symmetry_refuted_;
}

}  // namespace ordeal::detail::graph
