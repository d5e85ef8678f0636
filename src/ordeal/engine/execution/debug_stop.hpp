// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

// Where a debugger stops a replayed execution, and what it can read there: `ordeal replay --debug`. A gdb script
// (cli/debugger/debugger_script.cpp) reads it through the symbols, since the harness may have no debug information.
namespace ordeal::detail {

/// A thread of the model.
struct debugged_thread {
    std::array<char, 64> name{};
    std::array<char, 64> state{};
    std::uint64_t context = 0;  ///< top of its stack, where its fiber saved its context; 0: it is running or finished
    std::uint32_t last_step = 0;
    std::uint32_t runs = 0;
};

struct debugged_block {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
};

/// Fills the tables below.
using debugged_run_publisher = void (*)(void* run);

/// The state shared with the debugger.
struct debug_stop {
    std::uint32_t step = 0;  ///< at which the execution stops; 0: there is no debugger
    bool armed = false;      ///< this run is the one that is shown
    bool on_thread = false;  ///< the stop is on the stack of a thread, not between two
    debugged_run_publisher publish = nullptr;
    void* run = nullptr;
};
inline debug_stop debugger;

/// Takes the step from the environment, which `ordeal replay --debug` sets for the program in the debugger. Returns
/// whether there is one.
bool take_debug_stop();
inline constexpr const char* debug_stop_variable = "ORDEAL_DEBUG_STOP";

void stop_for_debugger(bool on_thread);

/// Called at each step of a run that is recorded.
inline void come_to_step(std::uint32_t step, bool on_thread) {
    if (debugger.armed && step == debugger.step) [[unlikely]]
        stop_for_debugger(on_thread);
}

}  // namespace ordeal::detail

extern "C" {
inline constexpr std::uint32_t ordeal_most_debugged_threads = 72;
extern std::array<ordeal::detail::debugged_thread, ordeal_most_debugged_threads> ordeal_debugged_threads;
extern std::uint32_t ordeal_debugged_thread_count;
extern ordeal::detail::debugged_block* ordeal_debugged_blocks;
extern std::uint64_t ordeal_debugged_block_count;

/// Called at the step, on the stack of its thread; the debugger has its breakpoint here.
void ordeal_stop_here();
}
