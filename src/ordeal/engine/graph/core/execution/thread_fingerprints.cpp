// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/execution/thread_fingerprints.hpp"

#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/state/floating_point.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

void thread_fingerprints::add_state(thread_fingerprint& to, thread_fingerprint::extent how_much,
                                    const caller_state& caller, std::span<const std::uint64_t> given) const noexcept {
    if (!fibers_.on_stack(run_.thread_id, caller.frame)) return;
    to.taken = how_much;
    to.thread = of_thread(caller, given);
    if (how_much == thread_fingerprint::extent::all) {
        to.memory = memory();
        to.freed = run_.freed.known_to(run_.thread_id, run_.self().hb);
    }
    to.clock = clock(caller);
}

// Points in time are shifted back by the time that has passed.
std::uint64_t thread_fingerprints::of_thread(const caller_state& caller,
                                             std::span<const std::uint64_t> given) const noexcept {
    const std::int64_t passed = instrumented_ ? instrumented().clock().passed : 0;
    const std::uintptr_t top = fibers_.top(run_.thread_id);
    const std::uint64_t stack = passed == 0 ? caller.hash(top) : caller.hash(top, passed);
    return hash_of_bytes(reinterpret_cast<std::uintptr_t>(given.data()), given.size_bytes(), stack);
}

bool thread_fingerprints::has_a_stack(int thread) const noexcept {
    const thread_status status = run_.of(thread).status;
    return thread != run_.thread_id && status != thread_status::absent && status != thread_status::finished;
}

// Excludes frames of the engine, which depend on whether the graph has the thread's next event.
memory_range thread_fingerprints::stack_of(int thread) const noexcept {
    memory_range result = fibers_.suspended(thread);
    const std::uintptr_t own = run_.of(thread).caller_frame;
    if (own > result.address && own - result.address <= result.size) {
        result.size -= own - result.address;
        result.address = own;
    }
    return result;
}

// With a policy, shared data is in the scenario object or on the heap.
std::uint64_t thread_fingerprints::memory() const noexcept {
    std::uint64_t hash = heap::fingerprint();
    if (!instrumented_) return hash;
    for (const int thread_id : run_.order()) {
        if (!has_a_stack(thread_id)) continue;
        const memory_range stack = stack_of(thread_id);
        hash = hash_of_bytes(stack.address, stack.size, hash_of_number(static_cast<std::uint64_t>(thread_id), hash));
    }
    return hash_of_number(instrumented().fingerprint(), hash);
}

// The clock that a comparison of states needs.
virtual_clock thread_fingerprints::clock(const caller_state& caller) const noexcept {
    if (!instrumented_) return {};
    virtual_clock result = instrumented().clock();
    result.kept = result.looked != 0 && keeps_time(caller);
    return result;
}

// Whether a time that the running thread may compare with a clock can be anywhere except where of_thread() sees it.
bool thread_fingerprints::keeps_time(const caller_state& caller) const noexcept {
    const floating_point_scope floating;
    const auto registers = reinterpret_cast<std::uintptr_t>(caller.registers.data());
    if (virtual_time::in_memory(caller.frame, fibers_.top(run_.thread_id) - caller.frame, true)) return true;
    if (virtual_time::in_memory(registers, sizeof(caller.registers), true)) return true;
    if (heap::holds_time() || instrumented().holds_time()) return true;
    return std::ranges::any_of(run_.order(), [&](int thread_id) {
        if (!has_a_stack(thread_id)) return false;
        const memory_range stack = stack_of(thread_id);
        return virtual_time::in_memory(stack.address, stack.size, false);
    });
}

}  // namespace ordeal::detail::graph
