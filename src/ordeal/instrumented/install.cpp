// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/install.hpp"

#include "ordeal/instrumented/code_sites.hpp"
#include "ordeal/instrumented/current.hpp"
#include "ordeal/instrumented/ending_calls.hpp"
#include "ordeal/instrumented/environment_reads.hpp"
#include "ordeal/instrumented/expected_counts.hpp"
#include "ordeal/instrumented/foreign_memory.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/instrumented/global_state.hpp"
#include "ordeal/instrumented/library_state.hpp"
#include "ordeal/instrumented/pool_calls.hpp"
#include "ordeal/instrumented/process_changes.hpp"
#include "ordeal/instrumented/shared_pointer_calls.hpp"
#include "ordeal/instrumented/signal_masks.hpp"
#include "ordeal/instrumented/static_memory.hpp"
#include "ordeal/instrumented/thread_calls.hpp"
#include "ordeal/instrumented/thread_keys.hpp"
#include "ordeal/instrumented/thread_storage.hpp"
#include "ordeal/instrumented/time_calls.hpp"
#include "ordeal/instrumented/unseen_calls.hpp"
#include "ordeal/instrumented/unseen_lists.hpp"
#include "ordeal/instrumented/wait_calls.hpp"
#include "ordeal/instrumented/written_back.hpp"
#include "ordeal/model/allocation.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/fingerprint.hpp"

#include <sys/single_threaded.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

// What code on trial sees of the C library's variable of that name: it must not leave out its atomics because the threads of
// the model share one of the system.
extern "C" {
extern char ordeal_single_threaded asm("__wrap___libc_single_threaded");
char ordeal_single_threaded = 0;
}

namespace ordeal {

namespace {

// What an execution changes, part by part: all that begin_execution() below sets.
struct kept_part {
    void (*keep)(kept_bytes& to);
    void (*put_back)(kept_bytes& from);
};
constexpr kept_part kept_parts[]{
    {&global_state::keep, &global_state::put_back},
    {&thread_storage::keep, &thread_storage::put_back},
    {&thread_keys::keep, &thread_keys::put_back},
    {&model_threads::keep, &model_threads::put_back},
    {&model_time::keep, &model_time::put_back},
    {&exit_calls::keep, &exit_calls::put_back},
    {&keep_announced_loads, &put_back_announced_loads},
    {&keep_expected_counts, &put_back_expected_counts},
    {&written_back::keep, &written_back::put_back},
    {&keep_library, &put_back_library},
    {&signal_masks::keep, &signal_masks::put_back},
    {&shared_pointer_locks::keep, &shared_pointer_locks::put_back},
    {&process_changes::keep, &process_changes::put_back},
    {&memory_pools::keep, &memory_pools::put_back},
};

class front_end_of_trials final : public instrumented_front_end {
public:
    site_id site_of(const code_point& at) override { return plain_code_site(at); }
    std::string name_of(std::uintptr_t address) override { return name_of_global(address); }
    std::vector<call_frame> call_stack() override { return running_functions(); }

    void begin_search() override {
        const harness_scope harness;
        __libc_single_threaded = 0;    // for libstdc++
        unseen_calls::begin_search();  // before globals are protected
        thread_storage::begin_search();
        global_state::begin_search();
    }
    void end_search() override {
        process_changes::undo();
        global_state::end_search();
    }
    void begin_execution() override {
        __libc_single_threaded = 0;  // after a fork it is set again
        global_state::restore();
        thread_storage::begin_execution();
        thread_keys::begin_execution();
        model_threads::begin_execution();
        model_time::begin_execution();
        exit_calls::begin_execution();
        forget_announced_loads();
        forget_expected_counts();
        written_back::clear();
        begin_execution_of_library();
        signal_masks::begin_execution();
        shared_pointer_locks::begin_execution();
        process_changes::undo();
        memory_pools::begin_execution();
    }
    void keep(kept_bytes& to) override {
        for (const kept_part& each : kept_parts) each.keep(to);
    }
    void put_back(kept_bytes& from) override {
        for (const kept_part& each : kept_parts) each.put_back(from);
    }
    void begin_construction() override {
        if (byte_memory* const port = current()) model_threads::refuse_early(*port);
    }
    void finish_execution() override {
        if (byte_memory* const port = current()) exit_calls::finish_execution(*port);
    }
    void finish_thread() override {
        if (byte_memory* const port = current()) exit_calls::finish_thread(*port);
    }

    std::vector<memory_range> written_globals() override { return global_state::written(); }
    std::uint64_t fingerprint() override {
        std::uint64_t hash = 0;
        for (const auto part : {&global_state::fingerprint, &thread_storage::fingerprint, &thread_keys::fingerprint,
                                &model_threads::fingerprint, &model_time::fingerprint, &exit_calls::fingerprint,
                                &signal_masks::fingerprint, &fingerprint_of_library, &process_changes::fingerprint,
                                &memory_pools::fingerprint}) {
            hash = hash * 31 + part();
        }
        return hash;
    }
    bool holds_time() override { return global_state::holds_time() || thread_storage::holds_time(); }
    bool compared(std::uintptr_t address) override {
        const memory_range storage = thread_storage::region();
        return address - storage.address < storage.size || global_state::contains(address);
    }
    memory_of_threads thread_variables() override { return {thread_storage::region(), thread_storage::size_of_thread}; }

    thread_clock clock() override { return model_time::clock(); }
    void set_clock(const thread_clock& before) override { model_time::set_clock(before); }

    thread_start start_of(const void* argument) override { return model_threads::start_of(argument); }
    // And what it finds of the process, which its creator may have changed since it created another one.
    std::uint64_t handed_on_by(int thread) override {
        return hash_of_number(process_changes::fingerprint(),
                              hash_of_number(fingerprint_of_library(), signal_masks::of(thread)));
    }
    std::uint64_t time_of(int thread) override { return model_time::time_of(thread); }
    bool asked_for_result(int thread) override { return model_threads::asked_for_result(thread); }

    bool handle_fault(std::uintptr_t address) override { return global_state::handle_fault(address); }
    bool foreign(std::uintptr_t address) override { return is_foreign_global(address); }
    bool unknown(std::uintptr_t address) override { return is_unknown_memory(address); }

    std::vector<unseen_code> unseen() override { return unseen_lists::listed(); }
    std::vector<std::string> environment_reads() override { return ordeal::environment_reads(); }
    std::vector<std::string> limits() override {
        std::vector<std::string> result = limits_of_modules();
        std::ranges::move(unseen_calls::unnoticed(), std::back_inserter(result));
        return result;
    }
};

constinit front_end_of_trials of_trials;

// Trial libraries are linked to this program, and initialised before it.
[[gnu::constructor]] void install_before_main() { install_instrumented_front_end(); }

}  // namespace

void install_instrumented_front_end() {
    process_changes::note_open_files();
    leave_blocks_of_constructors({static_memory::base, static_memory::size});
    detail::front_end = &of_trials;
}

}  // namespace ordeal
