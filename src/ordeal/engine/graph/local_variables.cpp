// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of threads, and their thread-local variables: whose they are, how they end, and what comes after their last byte.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <array>
#include <cstdio>

namespace ordeal::graph {

namespace {

std::string words_for_thread(int number) {
    return number == main_number ? "construction or finish" : "thread " + std::to_string(number);
}

}  // namespace

std::string graph_memory::name_of_local(std::uintptr_t address) const {
    const std::uintptr_t on_stacks = address - stacks_.region().address;
    if (on_stacks < stacks_.region().size) {
        return "a local variable of " + words_for_thread(static_cast<int>(on_stacks / stacks_.parts().of_each));
    }
    const memory_of_threads variables = instrumented().thread_variables();
    const std::uintptr_t in_variables = address - variables.all.address;
    if (in_variables >= variables.all.size) return {};
    return "a thread-local variable of " + words_for_thread(static_cast<int>(in_variables / variables.of_each));
}

std::string graph_memory::name_of_bytes(memory_range where) const {
    std::string name = name_of_local(where.address);
    if (name.empty() && heap::contains(reinterpret_cast<const void*>(where.address))) {
        name = heap::describe(where.address);
    } else if (name.empty()) {
        name = instrumented().name_of(where.address);
    }
    return name.empty() ? "memory" : name;
}

// The end of a thread is no event, so another thread's access may come before or after it in one and the same execution;
// either way it must not be unordered.
void graph_memory::end_locals() {
    const memory_of_threads stacks = stacks_.parts();
    require_not_notified({stacks.all.address + index() * stacks.of_each, stacks.of_each});
    const auto used = shadow_.end_thread(number_, self().happened);
    if (!used) return;
    std::string happened;
    {
        const harness_scope harness;
        happened = "is used by another thread" + place_of_other(*used) + ", and the end of thread " +
                   std::to_string(number_) + " is not ordered after that";
    }
    fail_bytes(violation_kind::use_after_free, *used, happened, {0, 0, "end of thread"});
}

const char* graph_memory::words_for_used_up_stack() const noexcept {
    static std::array<char, 80> words;
    static_assert(fibers::stack_size == std::size_t{8} << 20);
    if (alone()) return "the stack of construction or finish is used up (8 MB)";
    std::snprintf(words.data(), words.size(), "the stack of thread %d is used up (8 MB)", number_);
    return words.data();
}

// Code on trial may have stacks of its own making; how large they are is its own affair.
void graph_memory::require_room_on_stack(std::uintptr_t frame, site_id site) {
    const memory_range all = stacks_.region();
    if (frame - all.address < all.size) fail(violation_kind::crash, words_for_used_up_stack(), site);
}

void graph_memory::leave_stack(const code_point& at) { require_room_on_stack(at.frame, site_of(at)); }

}  // namespace ordeal::graph
