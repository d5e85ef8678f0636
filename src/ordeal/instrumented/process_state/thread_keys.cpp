// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/thread_state.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/instrumented/process_state/library_state.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <limits.h>
#include <pthread.h>
#include <threads.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

using destructor = void (*)(void*);

constinit real_function<int(pthread_key_t*, destructor)> real_create("pthread_key_create");
constinit real_function<int(pthread_key_t)> real_delete("pthread_key_delete");
constinit real_function<void*(pthread_key_t)> real_get("pthread_getspecific");
constinit real_function<int(pthread_key_t, const void*)> real_set("pthread_setspecific");
constinit real_function<void*(tss_t)> real_tss_get("tss_get");
constinit real_function<int(tss_t, void*)> real_tss_set("tss_set");

// The C library's keys are below. Those that a library keeps in a global of its own stay with the global. All others
// created in an execution belong to it, whoever called: an abandoned execution does not delete them, and the C library
// has few.
constexpr pthread_key_t first_of_execution = PTHREAD_KEYS_MAX;
constexpr std::size_t keys_of_execution = PTHREAD_KEYS_MAX;
struct key_value {
    pthread_key_t key;
    void* value;
};

struct all_keys {
    std::array<destructor, PTHREAD_KEYS_MAX + keys_of_execution> destructors{};
    pthread_key_t next = first_of_execution;
    // In this execution, but created before it: with their destructors.
    std::vector<std::pair<pthread_key_t, destructor>> deleted;
    per_thread<std::vector<key_value>> values;  // few
};

constinit all_keys keys;

std::vector<key_value>& values_of(const instrumented_runtime& runtime) { return keys.values[thread_slot(runtime)]; }

int create(const caller_accesses& caller, pthread_key_t* key, destructor destroy) {
    if (runtime_on_trial_for(key) != nullptr) {
        if (keys.next == keys.destructors.size()) return EAGAIN;
        *key = keys.next++;
    } else if (const int error = real_create(key, destroy); error != 0) {
        return error;
    }
    caller.writes_object(key);
    caller.writes(address_of_key(*key), 1);
    const harness_scope harness;
    keys.destructors[*key] = destroy;
    return 0;
}

// A key created by a constructor before main exists again in the next execution, whatever a destructor at the end of
// this one does to it.
int remove(const caller_accesses& caller, pthread_key_t key) {
    if (key >= keys.destructors.size()) return EINVAL;
    caller.writes(address_of_key(key), 1);
    const bool of_execution = key >= first_of_execution;
    if (runtime_on_trial() != nullptr && !of_execution) {
        const harness_scope harness;
        keys.deleted.emplace_back(key, keys.destructors[key]);
    }
    keys.destructors[key] = nullptr;
    return runtime_on_trial() != nullptr || of_execution ? 0 : real_delete(key);
}

void uses(const caller_accesses& caller, pthread_key_t key) {
    if (key < keys.destructors.size()) caller.reads(address_of_key(key), 1);
}

void set(const instrumented_runtime& runtime, pthread_key_t key, const void* value) {
    const harness_scope harness;
    auto* const writable = const_cast<void*>(value);
    for (key_value& each : values_of(runtime)) {
        if (each.key != key) continue;
        each.value = writable;
        return;
    }
    values_of(runtime).push_back({key, writable});
}

void set(instrumented_runtime& runtime, const code_location& at, pthread_key_t key, const void* value) {
    uses(caller_accesses::of_trial_code(at), key);
    runtime.change_own_state();
    set(runtime, key, value);
}

void* get(const instrumented_runtime& runtime, const code_location& at, pthread_key_t key) {
    uses(caller_accesses::of_trial_code(at), key);
    for (const key_value& each : keys.values.at(thread_slot(runtime))) {
        if (each.key == key) return each.value;
    }
    return nullptr;
}

// Removes and returns the thread's next value with a destructor; null: there is none.
key_value take_value(const instrumented_runtime& runtime) noexcept {
    for (key_value& each : values_of(runtime)) {
        if (each.value == nullptr || keys.destructors[each.key] == nullptr) continue;
        const key_value taken = each;
        each.value = nullptr;
        return taken;
    }
    return {0, nullptr};
}

}  // namespace

void thread_keys::begin_execution() noexcept {
    for (pthread_key_t key = first_of_execution; key < keys.next; ++key) keys.destructors[key] = nullptr;
    keys.next = first_of_execution;
    for (const auto& [key, destroy] : keys.deleted) keys.destructors[key] = destroy;
    keys.deleted.clear();
    keys.values.clear();
}

void thread_keys::begin_thread(int thread) noexcept { keys.values.clear(static_cast<std::size_t>(thread) + 1); }

void thread_keys::save(snapshot& to) {
    to.put(keys.next);
    const std::size_t count = keys.next - first_of_execution;
    to.put(memory_range{reinterpret_cast<std::uintptr_t>(&keys.destructors[first_of_execution]),
                        count * sizeof(destructor)});
    to.put(keys.deleted.size());
    for (const auto& [key, destroy] : keys.deleted) {
        to.put(key);
        to.put(destroy);
    }
    keys.values.save(to);
}

void thread_keys::restore(snapshot& from) {
    begin_execution();
    from.take(keys.next);
    const std::size_t count = keys.next - first_of_execution;
    from.take(memory_range{reinterpret_cast<std::uintptr_t>(&keys.destructors[first_of_execution]),
                           count * sizeof(destructor)});
    std::size_t deleted = 0;
    from.take(deleted);
    keys.deleted.resize(deleted);
    for (auto& [key, destroy] : keys.deleted) {
        from.take(key);
        from.take(destroy);
        keys.destructors[key] = nullptr;
    }
    keys.values.restore(from);
}

void thread_keys::destroy_values(instrumented_runtime& runtime) {
    // A destructor may set values again, but not for ever.
    constexpr int most_calls = 1000;
    for (int calls = 0; calls < most_calls; ++calls) {
        const key_value taken = take_value(runtime);
        if (taken.value == nullptr) return;
        keys.destructors[taken.key](taken.value);
    }
}

std::uint64_t thread_keys::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (std::size_t slot = 0; slot < keys.values.used().size(); ++slot) {
        const std::vector<key_value>& thread = keys.values.at(slot);
        if (!thread.empty()) hash = hash * 31 + slot;
        for (const key_value& each : thread) {
            hash = (hash ^ each.key) * 0x9e3779b97f4a7c15u ^ reinterpret_cast<std::uintptr_t>(each.value);
        }
    }
    return hash;
}

extern "C" {

int pthread_key_create(pthread_key_t* key, void (*destroy)(void*)) noexcept {
    return create(caller_accesses::of_trial_code(code_location_here("pthread_key_create")), key, destroy);
}
int pthread_key_delete(pthread_key_t key) noexcept {
    return remove(caller_accesses::of_trial_code(code_location_here("pthread_key_delete")), key);
}
void* pthread_getspecific(pthread_key_t key) noexcept {
    const instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_get(key);
    return get(*runtime, code_location_here("pthread_getspecific"), key);
}
int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_set(key, value);
    set(*runtime, code_location_here("pthread_setspecific"), key, value);
    return 0;
}

// Those of C, which are the same keys. Weak, as in pthread/c_threads.hpp.
[[gnu::weak]] int tss_create(tss_t* key, tss_dtor_t destroy) {
    const int error = create(caller_accesses::of_trial_code(code_location_here("tss_create")), key, destroy);
    return error == 0 ? thrd_success : thrd_error;
}
[[gnu::weak]] void tss_delete(tss_t key) {
    (void)remove(caller_accesses::of_trial_code(code_location_here("tss_delete")), key);
}
[[gnu::weak]] void* tss_get(tss_t key) {
    const instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_tss_get(key);
    return get(*runtime, code_location_here("tss_get"), key);
}
[[gnu::weak]] int tss_set(tss_t key, void* value) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_tss_set(key, value);
    set(*runtime, code_location_here("tss_set"), key, value);
    return thrd_success;
}

}  // extern "C"

}  // namespace ordeal::detail
