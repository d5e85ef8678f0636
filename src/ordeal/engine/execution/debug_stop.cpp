// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/execution/debug_stop.hpp"

#include "ordeal/runtime/memory/heap.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" {
std::array<ordeal::detail::debugged_thread, ordeal_most_debugged_threads> ordeal_debugged_threads;
std::uint32_t ordeal_debugged_thread_count = 0;
ordeal::detail::debugged_block* ordeal_debugged_blocks = nullptr;
std::uint64_t ordeal_debugged_block_count = 0;

[[gnu::noinline, gnu::used]] void ordeal_stop_here() {
    asm volatile("" ::: "memory");  // keeps the call from being optimised away
}
}

namespace ordeal::detail {

bool take_debug_stop() {
    const char* const text = std::getenv(debug_stop_variable);
    if (text == nullptr) return false;
    const std::string_view number(text);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), debugger.step);
    unsetenv(debug_stop_variable);  // not for the programs that this one starts
    return error == std::errc() && debugger.step != 0;
}

void stop_for_debugger(bool on_thread) {
    debugger.armed = false;
    debugger.on_thread = on_thread;
    if (debugger.publish != nullptr) debugger.publish(debugger.run);
    static std::vector<debugged_block> blocks;
    blocks.clear();
    for (const memory_range& each : heap::live_blocks()) blocks.push_back({each.address, each.size});
    ordeal_debugged_blocks = blocks.data();
    ordeal_debugged_block_count = blocks.size();
    ordeal_stop_here();
}

}  // namespace ordeal::detail
