// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/install.hpp"

#include "ordeal/instrumented/code_sites.hpp"
#include "ordeal/instrumented/current.hpp"
#include "ordeal/instrumented/ending_calls.hpp"
#include "ordeal/instrumented/exception_calls.hpp"
#include "ordeal/instrumented/expected_counts.hpp"
#include "ordeal/instrumented/foreign_memory.hpp"
#include "ordeal/instrumented/global_state.hpp"
#include "ordeal/instrumented/library_state.hpp"
#include "ordeal/instrumented/static_memory.hpp"
#include "ordeal/instrumented/thread_calls.hpp"
#include "ordeal/instrumented/thread_keys.hpp"
#include "ordeal/instrumented/thread_storage.hpp"
#include "ordeal/instrumented/time_calls.hpp"
#include "ordeal/instrumented/unseen_calls.hpp"
#include "ordeal/instrumented/wait_calls.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <sys/single_threaded.h>

#include <algorithm>
#include <iterator>

// What code on trial sees of the C library's variable of that name: it must not leave out its atomics because the threads of
// the model share one of the system.
extern "C" {
extern char ordeal_single_threaded asm("__wrap___libc_single_threaded");
char ordeal_single_threaded = 0;
}

namespace ordeal {

namespace {

void begin_search() {
    const harness_scope harness;
    __libc_single_threaded = 0;    // for libstdc++
    unseen_calls::begin_search();  // before globals are protected
    thread_storage::begin_search();
    global_state::begin_search();
}

void begin_execution() {
    __libc_single_threaded = 0;  // after a fork it is set again
    global_state::restore();
    thread_storage::begin_execution();
    thread_keys::begin_execution();
    model_threads::begin_execution();
    model_time::begin_execution();
    exit_calls::begin_execution();
    exception_memory::begin_execution();
    forget_announced_loads();
    forget_expected_counts();
    begin_execution_of_library();
}

void begin_construction() {
    if (byte_memory* const port = current()) model_threads::refuse_early(*port);
}

void finish_execution() {
    if (byte_memory* const port = current()) exit_calls::finish_execution(*port);
}

void finish_thread() {
    if (byte_memory* const port = current()) exit_calls::finish_thread(*port);
}

std::uint64_t fingerprint() {
    std::uint64_t hash = 0;
    for (const auto part : {&global_state::fingerprint, &thread_storage::fingerprint, &thread_keys::fingerprint,
                            &model_threads::fingerprint, &model_time::fingerprint, &exit_calls::fingerprint}) {
        hash = hash * 31 + part();
    }
    return hash;
}

bool compared(std::uintptr_t address) {
    const memory_range storage = thread_storage::region();
    return address - storage.address < storage.size || global_state::contains(address);
}

// Trial libraries are linked to this program, and initialised before it.
[[gnu::constructor]] void install_before_main() { install_instrumented_front_end(); }

}  // namespace

void install_instrumented_front_end() {
    install_code_sites();
    model_time::install();
    instrumented_support& all = instrumented();
    all.begin_search = &begin_search;
    all.begin_execution = &begin_execution;
    all.begin_construction = &begin_construction;
    all.finish_execution = &finish_execution;
    all.finish_thread = &finish_thread;
    all.written_globals = &global_state::written;
    all.fingerprint = &fingerprint;
    all.holds_time = [] { return global_state::holds_time() || thread_storage::holds_time(); };
    all.compared = &compared;
    all.constructed = &static_memory::contains;
    all.foreign = &is_foreign_global;
    all.thread_variables = {thread_storage::region(), thread_storage::size_of_thread};
    all.unknown = &is_unknown_memory;
    all.limits = [] {
        std::vector<std::string> result = limits_of_modules();
        std::ranges::move(unseen_calls::unnoticed(), std::back_inserter(result));
        return result;
    };
    all.unseen = &unseen_functions;
    all.handle_fault = [](std::uintptr_t address) { return global_state::handle_fault(address); };
}

}  // namespace ordeal
