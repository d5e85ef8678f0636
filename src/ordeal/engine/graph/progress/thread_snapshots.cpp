// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/thread_snapshots.hpp"

#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/byte_memory.hpp"
#include "ordeal/model/fingerprint.hpp"
#include "ordeal/model/floating_point.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>

namespace ordeal::graph {

void thread_snapshots::add_state(snapshot& to, snapshot::extent how_much, const caller_state& caller,
                                 std::span<const std::uint64_t> given) const noexcept {
    if (!stacks_.on_stack(run_.thread_id, caller.frame)) return;
    to.taken = how_much;
    to.thread = of_thread(caller, given);
    if (how_much == snapshot::extent::all) {
        to.memory = memory();
        to.freed = run_.freed.known_to(run_.thread_id, run_.self().hb);
    }
    to.clock = clock(caller);
}

// Points in time have moved on by as much as has passed.
std::uint64_t thread_snapshots::of_thread(const caller_state& caller,
                                          std::span<const std::uint64_t> given) const noexcept {
    const std::int64_t passed = instrumented_ ? instrumented().clock().passed : 0;
    const std::uintptr_t top = stacks_.top(run_.thread_id);
    const std::uint64_t stack = passed == 0 ? caller.hash(top) : caller.hash(top, passed);
    return hash_of_bytes(reinterpret_cast<std::uintptr_t>(given.data()), given.size_bytes(), stack);
}

bool thread_snapshots::has_a_stack(int thread) const noexcept {
    const thread_status status = run_.of(thread).status;
    return thread != run_.thread_id && status != thread_status::absent && status != thread_status::finished;
}

// What it has called of the engine is no part of it: that depends on whether the graph has its next event.
memory_range thread_snapshots::stack_of(int thread) const noexcept {
    memory_range result = stacks_.suspended(thread);
    const std::uintptr_t own = run_.of(thread).called_from;
    if (own > result.address && own - result.address <= result.size) {
        result.size -= own - result.address;
        result.address = own;
    }
    return result;
}

// With a policy, what is shared is in the scenario object or on the heap.
std::uint64_t thread_snapshots::memory() const noexcept {
    std::uint64_t hash = heap::fingerprint();
    if (!instrumented_) return hash;
    for (const int thread_id : run_.order()) {
        if (!has_a_stack(thread_id)) continue;
        const memory_range stack = stack_of(thread_id);
        hash = hash_of_bytes(stack.address, stack.size, hash_of_number(static_cast<std::uint64_t>(thread_id), hash));
    }
    return hash_of_number(instrumented().fingerprint(), hash);
}

// For comparing states in which different times have passed.
thread_clock thread_snapshots::clock(const caller_state& caller) const noexcept {
    if (!instrumented_) return {};
    thread_clock result = instrumented().clock();
    result.kept = result.looked != 0 && keeps_time(caller);
    return result;
}

// Whether a point in time may be where the running thread can compare it with a clock, other than where of_stack() sees it.
bool thread_snapshots::keeps_time(const caller_state& caller) const noexcept {
    const floating_point_scope floating;
    const auto registers = reinterpret_cast<std::uintptr_t>(caller.registers.data());
    if (model_clock::in_memory(caller.frame, stacks_.top(run_.thread_id) - caller.frame, true)) return true;
    if (model_clock::in_memory(registers, sizeof(caller.registers), true)) return true;
    if (heap::holds_time() || instrumented().holds_time()) return true;
    return std::ranges::any_of(run_.order(), [&](int thread_id) {
        if (!has_a_stack(thread_id)) return false;
        const memory_range stack = stack_of(thread_id);
        return model_clock::in_memory(stack.address, stack.size, false);
    });
}

}  // namespace ordeal::graph
