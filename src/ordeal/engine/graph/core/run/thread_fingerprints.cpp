// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/thread_fingerprints.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/state/fingerprint.hpp"
#include "ordeal/runtime/state/floating_point.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace ordeal::detail::graph {

void thread_fingerprints::add_state(thread_fingerprint& to, thread_fingerprint::extent how_much,
                                    const caller_state& caller, std::span<const std::uint64_t> given) const noexcept {
    if (!fibers_.on_stack(run_.thread_id, caller.frame)) return;
    to.taken = how_much;
    to.thread = of_thread(caller, given);
    const std::uint64_t header = run_.self().since_header;
    if (header != 0) {
        to.since_header =
            fingerprint_of_bytes(reinterpret_cast<std::uintptr_t>(given.data()), given.size_bytes(), header);
    }
    add_memory(to, how_much);
    to.clock = clock(caller);
}

void thread_fingerprints::add_memory(thread_fingerprint& to, thread_fingerprint::extent how_much) const noexcept {
    if (how_much != thread_fingerprint::extent::all) return;
    to.memory = memory();
    to.freed = freed();
}

std::uint64_t thread_fingerprints::freed() const noexcept {
    return run_.freed.known_to(run_.thread_id, run_.self().hb);
}

thread_fingerprint thread_fingerprints::take(thread_fingerprint::extent how_much,
                                             const loop_header& header) const noexcept {
    thread_fingerprint result;
    result.event = run_.self().next;
    result.done = run_.self().done;
    if (!fibers_.on_stack(run_.thread_id, header.frame)) return result;
    result.taken = how_much;
    const std::int64_t passed = instrumented_ ? instrumented().clock().passed : 0;
    const auto add = [&](std::uintptr_t address, std::size_t size) {
        result.thread = fingerprint_of_bytes(address, size, result.thread, passed);
    };
    add(reinterpret_cast<std::uintptr_t>(header.values.data()), header.values.size_bytes());
    for (const memory_range& each : header.variables) add(each.address, each.size);
    add(header.frame, fibers_.top(run_.thread_id) - header.frame);
    result.thread = hash_of_number(floating_point::here().word(), result.thread);
    result.thread = hash_of_number(static_cast<std::uint64_t>(errno), result.thread);
    result.since_header = hash_of_number(header.loop, result.thread);
    add_memory(result, how_much);
    result.freed = freed();
    const caller_state callers{header.frame, {}};
    result.clock = clock(callers);
    if (result.clock.looked != 0) result.clock.kept |= keeps_time(header);
    return result;
}

bool thread_fingerprints::keeps_time(const loop_header& header) const noexcept {
    const floating_point_scope floating;
    const auto holds = [](std::uintptr_t address, std::size_t size) {
        return virtual_time::in_memory(address, size, true);
    };
    return holds(reinterpret_cast<std::uintptr_t>(header.values.data()), header.values.size_bytes()) ||
           std::ranges::any_of(header.variables,
                               [&](const memory_range& each) { return holds(each.address, each.size); });
}

// Points in time are shifted back by the time that has passed.
std::uint64_t thread_fingerprints::of_thread(const caller_state& caller,
                                             std::span<const std::uint64_t> given) const noexcept {
    const std::int64_t passed = instrumented_ ? instrumented().clock().passed : 0;
    const std::uint64_t stack = caller.hash(fibers_.top(run_.thread_id), passed);
    return fingerprint_of_bytes(reinterpret_cast<std::uintptr_t>(given.data()), given.size_bytes(), stack);
}

bool thread_fingerprints::has_a_stack(int thread) const noexcept {
    return thread != run_.thread_id && run_.of(thread).is_alive();
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

namespace {

// The values of atomics are in the graph. Their bytes hold what was written last, whoever wrote it: whether an
// iteration has put back what it wrote does not show there.
class atomics_hidden {
public:
    /// The frames from `in_use` on, those of the engine, are left alone, whatever was there before.
    atomics_hidden(const objects& all, memory_range in_use, std::vector<kept_atomic>& kept) noexcept : kept_(kept) {
        const harness_scope harness;
        kept_.clear();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const object& each = all[i];
            if (!each.alive || !each.has_bytes || each.where.size > sizeof(kept_atomic::bytes)) continue;
            if (each.where.address - in_use.address < in_use.size) continue;
            kept_atomic& one = kept_.emplace_back(kept_atomic{each.where, {}});
            std::memcpy(one.bytes.data(), reinterpret_cast<const void*>(each.where.address), each.where.size);
            constexpr std::array<unsigned char, 16> nothing{};
            if (std::memcmp(one.bytes.data(), nothing.data(), each.where.size) == 0) {
                kept_.pop_back();
            } else {
                std::memset(reinterpret_cast<void*>(each.where.address), 0, each.where.size);
            }
        }
    }
    atomics_hidden(const atomics_hidden&) = delete;
    atomics_hidden& operator=(const atomics_hidden&) = delete;
    // The last one first: they may overlap.
    ~atomics_hidden() {
        for (auto each = kept_.rbegin(); each != kept_.rend(); ++each) {
            std::memcpy(reinterpret_cast<void*>(each->where.address), each->bytes.data(), each->where.size);
        }
    }

private:
    std::vector<kept_atomic>& kept_;
};

}  // namespace

// On the stack of the running thread, if it has called the engine.
memory_range thread_fingerprints::frames_of_engine() const noexcept {
    const std::uintptr_t caller = run_.self().caller_frame;
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    constexpr std::size_t below = 4096;  // of functions that this calls
    return here < caller && fibers_.on_stack(run_.thread_id, here) ? memory_range{here - below, caller - here + below}
                                                                   : memory_range{};
}

// With a policy, shared data is in the scenario object or on the heap.
std::uint64_t thread_fingerprints::memory() const noexcept {
    if (!instrumented_) return heap::fingerprint();
    const atomics_hidden hidden(run_.objects, frames_of_engine(), kept_);
    std::uint64_t hash = heap::fingerprint();
    for (const int thread_id : run_.order()) {
        if (!has_a_stack(thread_id)) continue;
        const memory_range stack = stack_of(thread_id);
        hash = fingerprint_of_bytes(stack.address, stack.size,
                                    hash_of_number(static_cast<std::uint64_t>(thread_id), hash));
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
