// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/thread_snapshots.hpp"

#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/byte_memory.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>

namespace ordeal::graph {

// A caller on a stack of its own making equals nothing: how far that stack goes is not known.
std::uint64_t thread_snapshots::of_stack(const caller_state& caller) noexcept {
    if (!stacks_.on_stack(run_.number, caller.frame)) return ++never_equal_;
    const std::int64_t passed = instrumented_ ? instrumented().clock().passed : 0;
    const std::uintptr_t top = stacks_.top(run_.number);
    return passed == 0 ? caller.hash(top) : caller.hash(top, passed);
}

bool thread_snapshots::has_a_stack(int thread) const noexcept {
    const thread_status status = run_.of(thread).status;
    return thread != run_.number && status != thread_status::absent && status != thread_status::finished;
}

std::uint64_t thread_snapshots::of_memory() const noexcept {
    const std::uint64_t blocks = heap::fingerprint();
    if (!instrumented_) return blocks;
    std::uint64_t stacks = 0;
    for (const int number : run_.order()) {
        if (has_a_stack(number)) stacks = stacks * 31 + stacks_.hash_of_suspended(number);
    }
    return blocks ^ stacks ^ instrumented().fingerprint();
}

thread_clock thread_snapshots::clock(const caller_state& caller) const noexcept {
    if (!instrumented_) return {};
    thread_clock result = instrumented().clock();
    result.kept = result.looked != 0 && keeps_time(caller);
    return result;
}

// Whether a point in time may be where the running thread can compare it with a clock, other than where of_stack() sees it.
bool thread_snapshots::keeps_time(const caller_state& caller) const noexcept {
    if (!stacks_.on_stack(run_.number, caller.frame)) return true;
    const auto registers = reinterpret_cast<std::uintptr_t>(caller.registers.data());
    if (model_clock::in_memory(caller.frame, stacks_.top(run_.number) - caller.frame, true)) return true;
    if (model_clock::in_memory(registers, sizeof(caller.registers), true)) return true;
    if (heap::holds_time() || instrumented().holds_time()) return true;
    return std::ranges::any_of(run_.order(), [&](int number) {
        if (!has_a_stack(number)) return false;
        const memory_range stack = stacks_.suspended(number);
        return model_clock::in_memory(stack.address, stack.size, false);
    });
}

}  // namespace ordeal::graph
