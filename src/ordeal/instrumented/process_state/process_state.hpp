// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ordeal::detail {

/// How some state of the process besides its memory is treated.
enum class state_treatment : std::uint8_t {
    kept,     ///< reset in each execution; part of snapshots, and of states that are compared
    undone,   ///< reset in each execution; once changed, the execution has no more snapshots, and its states differ
    refused,  ///< an operation that would change it ends the search, by name
    limited,  ///< an operation that changes it is a limit of the verdict, by name; nothing is restored
};

/// An entry of the list of such state: of the processor, the kernel, the C library, libstdc++.
struct process_state {
    std::string_view name;  ///< of a scenario `programs/state_NAME` or `refused/state_NAME` that shows this entry
    std::string_view what;
    std::string_view of;
    bool of_thread = false;  ///< each thread has its own, inherited from its creator if possible
    state_treatment treatment{};
    std::string_view by;  ///< the code that implements it
};

/// The list. reference-data/process-state.md repeats it, and a test requires a scenario for each entry.
inline constexpr std::array process_states{
    process_state{"floating_point", "the floating-point environment: rounding, exceptions raised, traps", "processor",
                  true, state_treatment::kept, "floating_point.hpp"},
    process_state{"signal_mask", "the mask of signals", "kernel", true, state_treatment::kept, "signal_masks.cpp"},
    process_state{"errno", "`errno`", "C library", true, state_treatment::kept, "fibers.cpp"},
    process_state{"exceptions", "exceptions that are thrown or caught: `std::uncaught_exceptions()`", "libstdc++", true,
                  state_treatment::kept, "fibers.cpp"},
    process_state{"random", "`rand` and its like, for each thread; a limit names the function", "C library", true,
                  state_treatment::kept, "fixed_answers.cpp"},
    process_state{"clocks", "the time", "kernel", true, state_treatment::kept, "time_calls.cpp"},
    process_state{"keys", "keys of <pthread.h> and their values", "C library", true, state_treatment::kept,
                  "thread_keys.cpp"},
    process_state{"streams",
                  "`std::cout`, `cerr`, `clog`, `cin` and their wide forms: flags, precision, fill, state, buffer, "
                  "locale, `iword`; `sync_with_stdio`",
                  "libstdc++", false, state_treatment::kept, "global_state.cpp"},
    process_state{"handlers", "the handlers of `terminate`, `unexpected`, `new`", "libstdc++", false,
                  state_treatment::kept, "global_state.cpp"},
    process_state{"default_resource", "the default of `std::pmr`", "libstdc++", false, state_treatment::kept,
                  "global_state.cpp"},
    process_state{"pools", "blocks that pools of `std::pmr` have given", "libstdc++", false, state_treatment::kept,
                  "pool_calls.cpp"},
    process_state{"at_exit", "functions that run at exit", "C library", false, state_treatment::kept, "exit_calls.cpp"},
    process_state{"strtok", "what `strtok` keeps", "C library", false, state_treatment::kept, "library_state.cpp"},
    process_state{"environment", "variables of the environment", "C library", false, state_treatment::undone,
                  "library_state.cpp"},
    process_state{"locale", "the locale of the C library", "C library", false, state_treatment::undone,
                  "process_changes.cpp"},
    process_state{"options", "`optind`, `optarg` and what else `getopt` keeps", "C library", false,
                  state_treatment::undone, "process_changes.cpp"},
    process_state{"descriptors", "descriptors: which are open, and where they stand in their files", "kernel", false,
                  state_treatment::undone, "process_changes.cpp"},
    process_state{"c_streams", "streams of the C library but for `stdout` and `stderr`", "C library", false,
                  state_treatment::undone, "process_changes.cpp"},
    process_state{"directory", "the working directory", "kernel", false, state_treatment::undone,
                  "process_changes.cpp"},
    process_state{"mask_of_files", "`umask`", "kernel", false, state_treatment::undone, "process_changes.cpp"},
    process_state{"files", "what files hold, and which there are, by their paths; a limit names the function", "kernel",
                  false, state_treatment::undone, "file_changes.cpp"},
    process_state{"others_descriptors", "descriptors and streams that were open before the search", "kernel", false,
                  state_treatment::refused, "descriptor_calls.cpp"},
    process_state{"signal_handlers", "what signals do; signals that are sent; timers", "kernel", false,
                  state_treatment::refused, "refused_calls.cpp"},
    process_state{"processes", "other processes", "kernel", false, state_treatment::refused, "refused_calls.cpp"},
    process_state{"locale_of_thread", "`uselocale`", "C library", true, state_treatment::refused, "refused_calls.cpp"},
    process_state{"resources", "limits of resources, priorities, and what else has no entry", "kernel", false,
                  state_treatment::limited, "uninstrumented_calls.cpp"},
};

}  // namespace ordeal::detail
