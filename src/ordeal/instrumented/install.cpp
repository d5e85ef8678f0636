// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/foreign_memory.hpp"
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/instrumented/libc/exit_calls.hpp"
#include "ordeal/instrumented/libstdcxx/library_objects.hpp"
#include "ordeal/instrumented/libstdcxx/wait_calls.hpp"
#include "ordeal/instrumented/process_state/file_changes.hpp"
#include "ordeal/instrumented/process_state/global_state.hpp"
#include "ordeal/instrumented/process_state/library_globals.hpp"
#include "ordeal/instrumented/process_state/library_state.hpp"
#include "ordeal/instrumented/process_state/process_changes.hpp"
#include "ordeal/instrumented/process_state/static_memory.hpp"
#include "ordeal/instrumented/process_state/thread_state.hpp"
#include "ordeal/instrumented/process_state/thread_storage.hpp"
#include "ordeal/instrumented/pthread/thread_calls.hpp"
#include "ordeal/instrumented/unchecked/unchecked_code.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/allocation.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <sys/single_threaded.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

// The C library's variable of that name as seen by code on trial: always false, so that libstdc++ does not skip atomics
// because the model's threads share one OS thread.
extern "C" {
extern char ordeal_single_threaded asm("__wrap___libc_single_threaded");
char ordeal_single_threaded = 0;
}

namespace ordeal::detail {

namespace {

// State that an execution changes, part by part: everything that begin_execution() below resets.
struct saved_part {
    void (*save)(snapshot& to);
    void (*restore)(snapshot& from);
};
constexpr saved_part saved_parts[]{
    {&global_state::save, &global_state::restore},
    {&thread_storage::save, &thread_storage::restore},
    {&thread_keys::save, &thread_keys::restore},
    {&model_threads::save, &model_threads::restore},
    {&model_time::save, &model_time::restore},
    {&exit_calls::save, &exit_calls::restore},
    {&save_announced_loads, &restore_announced_loads},
    {&save_expected_counts, &restore_expected_counts},
    {&save_library, &restore_library},
    {&signal_masks::save, &signal_masks::restore},
    {&signal_handlers::save, &signal_handlers::restore},
    {&shared_pointer_locks::save, &shared_pointer_locks::restore},
    {&process_changes::save, &process_changes::restore},
    {&library_globals::save, &library_globals::restore},
    {&memory_pools::save, &memory_pools::restore},
};

class front_end_of_trials final : public instrumented_front_end {
public:
    site_id site_of(const code_location& at) override { return plain_code_site(at); }
    std::string name_of(std::uintptr_t address) override {
        const std::string_view name = name_of_library_state(address);
        if (name.empty()) return name_of_global(address);
        const harness_scope harness;
        return std::string(name);
    }
    std::vector<call_frame> call_stack() override { return running_functions(); }

    void begin_search() override {
        const harness_scope harness;
        __libc_single_threaded = 0;            // for libstdc++
        uninstrumented_calls::begin_search();  // before globals are protected
        thread_storage::begin_search();
        global_state::begin_search();
    }
    // Not only before the next one: until then another process of the search may begin, and open descriptors of its
    // own.
    void end_execution() override {
        process_changes::undo();
        file_changes::undo();
    }
    void end_search() override {
        process_changes::undo();
        global_state::end_search();
    }
    void begin_execution() override {
        __libc_single_threaded = 0;  // after a fork it is set again
        global_state::begin_execution();
        thread_storage::begin_execution();
        thread_keys::begin_execution();
        model_threads::begin_execution();
        model_time::begin_execution();
        exit_calls::begin_execution();
        forget_announced_loads();
        forget_expected_counts();
        begin_execution_of_library();
        library_globals::begin_execution();
        signal_masks::begin_execution();
        signal_handlers::begin_execution();
        shared_pointer_locks::begin_execution();
        process_changes::undo();
        memory_pools::begin_execution();
    }
    void save(snapshot& to) override {
        for (const saved_part& each : saved_parts) each.save(to);
    }
    void restore(snapshot& from) override {
        for (const saved_part& each : saved_parts) each.restore(from);
    }
    void begin_construction() override {
        if (instrumented_runtime* const runtime = runtime_on_trial()) model_threads::refuse_early(*runtime);
    }
    void finish_execution() override {
        if (instrumented_runtime* const runtime = runtime_on_trial()) exit_calls::finish_execution(*runtime);
    }
    void run_thread(void (*run)(void* object, int thread), void* object, int thread, bool is_main) override {
        model_threads::run_thread(run, object, thread, is_main);
    }
    void finish_thread() override {
        if (instrumented_runtime* const runtime = runtime_on_trial()) exit_calls::finish_thread(*runtime);
    }

    std::vector<memory_range> written_globals() override {
        std::vector<memory_range> result = global_state::written();
        std::ranges::move(library_globals::written(), std::back_inserter(result));
        return result;
    }
    void note_global_write(memory_range where) override { library_globals::note_write(where); }
    std::uint64_t fingerprint() override {
        std::uint64_t hash = 0;
        for (const auto part :
             {&global_state::fingerprint, &thread_storage::fingerprint, &thread_keys::fingerprint,
              &model_threads::fingerprint, &model_time::fingerprint, &exit_calls::fingerprint,
              &signal_masks::fingerprint, &signal_handlers::fingerprint, &fingerprint_of_library,
              &library_globals::fingerprint, &process_changes::fingerprint, &memory_pools::fingerprint}) {
            hash = hash * 31 + part();
        }
        return hash;
    }
    bool holds_time() override { return global_state::holds_time() || thread_storage::holds_time(); }
    bool is_fingerprinted(std::uintptr_t address) override {
        const memory_range storage = thread_storage::region();
        return address - storage.address < storage.size || global_state::contains(address);
    }
    memory_of_threads thread_variables() override { return {thread_storage::region(), thread_storage::size_of_thread}; }
    std::optional<thread_variable_place> thread_variable_at(std::uintptr_t address) override {
        return thread_storage::variable_at(address);
    }

    virtual_clock clock() override { return model_time::clock(); }
    void set_clock(const virtual_clock& before) override { model_time::set_clock(before); }

    thread_start start_of(const void* argument) override { return model_threads::start_of(argument); }
    // Includes process state, which its creator may have changed between creating two threads.
    std::uint64_t inherited_from(int thread) override {
        return hash_of_number(process_changes::fingerprint(),
                              hash_of_number(fingerprint_of_library(), signal_masks::of(thread)));
    }
    std::uint64_t time_of(int thread) override { return model_time::time_of(thread); }
    bool is_result_requested(int thread) override { return model_threads::is_result_requested(thread); }

    bool handle_fault(std::uintptr_t address) override { return global_state::handle_fault(address); }
    bool is_foreign_global(std::uintptr_t address) override { return ordeal::detail::is_foreign_global(address); }
    bool is_unknown_memory(std::uintptr_t address) override { return ordeal::detail::is_unknown_memory(address); }
    bool is_in_unchecked_frame(std::uintptr_t address, const code_location& at) override {
        return ordeal::detail::is_in_unchecked_frame(address, at);
    }

    std::vector<unchecked_item> unchecked() override { return unchecked_lists::listed(); }
    std::vector<std::string> environment_reads() override { return ordeal::detail::environment_reads(); }
    std::vector<std::string> limits() override {
        std::vector<std::string> result = limits_of_modules();
        std::ranges::move(uninstrumented_calls::unnoticed(), std::back_inserter(result));
        return result;
    }
};

constinit front_end_of_trials of_trials;

// Trial libraries are linked to this program and initialised before it. Wherever this front end is linked in, the
// engines can run instrumented code.
[[gnu::constructor]] void install_instrumented_front_end() {
    process_changes::note_open_files();
    file_changes::prepare();
    exempt_static_blocks({static_memory::base, static_memory::size});
    front_end = &of_trials;
}

}  // namespace

}  // namespace ordeal::detail
