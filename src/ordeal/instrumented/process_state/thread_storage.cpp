// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/thread_storage.hpp"

#include "ordeal/instrumented/process_state/thread_variables.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/snapshot.hpp"
#include "ordeal/runtime/state/fingerprint.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <span>

// The compiler's own function, for code that is not on trial; and its control blocks of the two variables of
// std::call_once, which libstdc++ defines in another form.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __emutls_get_address(void* variable);

struct tls_index {
    unsigned long module;
    unsigned long offset;
};
void* __tls_get_addr(tls_index* index);

extern ordeal::detail::thread_variable ordeal_once_callable asm("__emutls_v._ZSt15__once_callable");
extern ordeal::detail::thread_variable ordeal_once_call asm("__emutls_v._ZSt11__once_call");
ordeal::detail::thread_variable ordeal_once_callable{sizeof(void*), alignof(void*), 0, nullptr};
ordeal::detail::thread_variable ordeal_once_call{sizeof(void*), alignof(void*), 0, nullptr};
}
// NOLINTEND(bugprone-reserved-identifier)

namespace ordeal::detail {

namespace {

constexpr std::size_t most_places = 1024;
constexpr std::size_t table_size = 4 * most_places;

struct place {
    std::uintptr_t key = 0;  ///< the address of the variable's control block, or the module of a block
    bool is_variable = false;
    std::size_t offset = 0;
    std::size_t size = 0;
    const void* initial = nullptr;
    std::size_t initial_size = 0;
};

// For each variable, the execution in which the thread last asked for it. Those of earlier executions count as new.
struct looked_up {
    std::array<std::uint32_t, most_places> in{};

    static void clear() noexcept {}
};

// Of fixed size, because variables are also found while code on trial runs.
struct layout {
    std::array<place, most_places> places;
    std::array<std::uint16_t, table_size> table;  ///< one more than an index; 0: empty
    std::size_t count;
    std::size_t used;  ///< bytes
    std::uint32_t execution;
    per_thread<looked_up> asked;
};

constinit layout state{};

void map_areas() {
    void* const got =
        ::mmap(reinterpret_cast<void*>(thread_storage::base), thread_storage::region().size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) {
        std::perror("ordeal: cannot reserve memory for thread-local variables");
        std::abort();
    }
}

std::uint16_t& slot_for(std::uintptr_t key) noexcept {
    std::size_t at = key * 0x9e3779b97f4a7c15u >> 40;
    while (true) {
        std::uint16_t& slot = state.table[at++ % table_size];
        if (slot == 0 || state.places[slot - 1u].key == key) return slot;
    }
}

// Null if there is no room left.
const place* add(place value, std::size_t alignment) noexcept {
    value.offset = (state.used + alignment - 1) & ~(alignment - 1);
    if (state.count == most_places || value.offset + value.size > thread_storage::size_of_thread) return nullptr;
    state.used = value.offset + value.size;
    state.places[state.count] = value;
    slot_for(value.key) = static_cast<std::uint16_t>(++state.count);
    return &state.places[state.count - 1];
}

const place* add(const thread_variable& variable) noexcept {
    return add({.key = reinterpret_cast<std::uintptr_t>(&variable),
                .is_variable = true,
                .size = variable.size,
                .initial = variable.initial,
                .initial_size = variable.initial == nullptr ? 0 : variable.size},
               variable.alignment);
}

const place* find(std::uintptr_t key) noexcept {
    const std::uint16_t slot = slot_for(key);
    return slot == 0 ? nullptr : &state.places[slot - 1u];
}

std::byte* address_of(const place& where, std::size_t thread) noexcept {
    return reinterpret_cast<std::byte*>(thread_storage::base + thread * thread_storage::size_of_thread + where.offset);
}

memory_range range_of(const place& where, std::size_t thread) noexcept {
    return {reinterpret_cast<std::uintptr_t>(address_of(where, thread)), where.size};
}

// The running thread's instance; initialises it on first use.
std::byte* own(const instrumented_runtime& runtime, const place& where) noexcept {
    const auto thread = thread_slot(runtime);
    std::byte* const address = address_of(where, thread);
    std::uint32_t& asked_in = state.asked[thread].in[static_cast<std::size_t>(&where - state.places.data())];
    if (asked_in != state.execution) {
        asked_in = state.execution;
        if (where.initial_size != 0) std::memcpy(address, where.initial, where.initial_size);
        std::memset(address + where.initial_size, 0, where.size - where.initial_size);
    }
    return address;
}

std::byte* own_variable(instrumented_runtime& runtime, const thread_variable& variable) {
    const place* where = find(reinterpret_cast<std::uintptr_t>(&variable));
    if (where == nullptr) where = add(variable);
    if (where == nullptr) runtime.refuse("more than 256 KB of thread-local variables", no_site);
    return own(runtime, *where);
}

}  // namespace

std::optional<thread_variable_place> thread_storage::variable_at(std::uintptr_t address) noexcept {
    const std::uintptr_t in_region = address - base;
    if (in_region >= region().size) return {};
    const std::size_t offset = in_region % size_of_thread;
    for (const place& each : std::span(state.places).first(state.count)) {
        if (offset - each.offset >= each.size) continue;
        const auto described_at = each.is_variable ? each.key : reinterpret_cast<std::uintptr_t>(each.initial);
        return thread_variable_place{static_cast<int>(in_region / size_of_thread), described_at, !each.is_variable,
                                     offset - each.offset};
    }
    return {};
}

void thread_storage::begin_search() {
    if (state.count != 0) return;
    map_areas();
    for (const thread_variable* each : {&ordeal_once_callable, &ordeal_once_call}) (void)add(*each);
    // Lack of room is reported on first use.
    for (const thread_variable* each : thread_variables_of_trials()) (void)add(*each);
    for (const thread_block& each : thread_blocks_of_trials()) {
        (void)add({.key = each.module, .size = each.size, .initial = each.initial, .initial_size = each.initial_size},
                  each.alignment);
    }
}

void thread_storage::begin_execution() noexcept {
    ++state.execution;
    state.asked.clear();
}

void thread_storage::begin_thread(int thread) noexcept { state.asked[static_cast<std::size_t>(thread) + 1].in.fill(0); }

// Variables found later are in use by no thread yet.
void thread_storage::save(snapshot& to) {
    to.put(state.count);
    to.put(state.asked.used().size());
    for (std::size_t thread = 0; thread < state.asked.used().size(); ++thread) {
        for (std::size_t i = 0; i < state.count; ++i) {
            const bool asked = state.asked.at(thread).in[i] == state.execution;
            to.put(asked);
            if (asked) to.put(range_of(state.places[i], thread));
        }
    }
}

void thread_storage::restore(snapshot& from) {
    begin_execution();
    std::size_t count = 0;
    std::size_t threads = 0;
    from.take(count);
    from.take(threads);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        for (std::size_t i = 0; i < count; ++i) {
            bool asked = false;
            from.take(asked);
            if (!asked) continue;
            state.asked[thread].in[i] = state.execution;
            from.take(range_of(state.places[i], thread));
        }
    }
}

std::uint64_t thread_storage::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (std::size_t thread = 0; thread < state.asked.used().size(); ++thread) {
        for (std::size_t i = 0; i < state.count; ++i) {
            if (state.asked.at(thread).in[i] != state.execution) continue;
            const place& where = state.places[i];
            hash =
                fingerprint_of_bytes(reinterpret_cast<std::uintptr_t>(address_of(where, thread)), where.size, hash + i);
        }
    }
    return hash;
}

bool thread_storage::holds_time() noexcept {
    for (std::size_t thread = 0; thread < state.asked.used().size(); ++thread) {
        for (std::size_t i = 0; i < state.count; ++i) {
            if (state.asked.at(thread).in[i] != state.execution) continue;
            const place& where = state.places[i];
            const auto address = reinterpret_cast<std::uintptr_t>(address_of(where, thread));
            if (virtual_time::in_memory(address, where.size, false)) return true;
        }
    }
    return false;
}

thread_storage::once_call thread_storage::current_once_call(instrumented_runtime& runtime) {
    once_call result;
    std::memcpy(&result.callable, own_variable(runtime, ordeal_once_callable), sizeof(result.callable));
    std::memcpy(&result.call, own_variable(runtime, ordeal_once_call), sizeof(result.call));
    return result;
}

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

// With -femulated-tls, called for each access to a thread-local variable.
void* __wrap___emutls_get_address(thread_variable* variable) {
    if (instrumented_runtime* const runtime = runtime_on_trial()) return own_variable(*runtime, *variable);
    if (variable == &ordeal_once_callable) return &std::__once_callable;
    if (variable == &ordeal_once_call) return &std::__once_call;
    return __emutls_get_address(variable);
}

// Without -femulated-tls.
void* __wrap___tls_get_addr(tls_index* index) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return __tls_get_addr(index);
    if (const place* const block = find(index->module)) return own(*runtime, *block) + index->offset;
    void* const natively = __tls_get_addr(index);
    if (natively == &std::__once_callable) return own_variable(*runtime, ordeal_once_callable);
    if (natively == &std::__once_call) return own_variable(*runtime, ordeal_once_call);
    return natively;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace ordeal::detail
