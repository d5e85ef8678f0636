// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Called by our <bits/atomic_wait.h>. The library's own version spins and keeps a table of waiters: much to explore,
// none of it the user's. On the runtime a wait is one operation.
#include "ordeal/instrumented/libstdcxx/wait_calls.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/runtime/word.hpp"

#include <sched.h>

namespace ordeal::detail {

namespace {

static_assert(sizeof(watched_load) == 4 * sizeof(std::uint64_t), "our <bits/atomic_wait.h> makes room for it");

void announce(instrumented_runtime& runtime, announced_load load) noexcept {
    load.thread = runtime.thread();
    announced = load;
}

void notify(instrumented_runtime& runtime, memory_range where, bool all, const code_location& at) {
    runtime.notify(where, all, plain_code_site(at));
}

}  // namespace

// Names reserved for the implementation.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

/// On trial: the next load of the object becomes a wait until it does not hold `old`. Returns whether on trial.
int __ordeal_wait_begins(const volatile void* object, std::uint64_t old) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return 0;
    announce(*runtime, {.address = reinterpret_cast<std::uintptr_t>(object), .blocks = true, .old = old});
    return 1;
}

/// The same for an object of 16 bytes. `old` is the library's own variable.
int __ordeal_wait_begins_16(const volatile void* object, const void* old) {
    if (runtime_on_trial() == nullptr) return 0;
    return __ordeal_wait_begins(object, word_in(old, wide_size));
}

void __ordeal_wait_ended() {
    if (announced.address != 0) refused_on_trial("an atomic wait without a load");
}

/// Begins an iteration of a condition wait: the next load of the object is recorded.
void __ordeal_wait_iteration_begins(watched_load* seen, const volatile void* object) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    const auto address = reinterpret_cast<std::uintptr_t>(object);
    announce(*runtime, {.address = address, .watched = seen});
    wait_iterations[thread_slot(*runtime)] = {address, seen, false};
}

/// Ends the iteration, and waits for a change if the condition was false for the current value. Returns whether it was
/// true.
int __ordeal_wait_iteration_ended(const watched_load* seen, int done) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) {
        if (done == 0) ::sched_yield();
        return done;
    }
    wait_iteration& iteration = wait_iterations[thread_slot(*runtime)];
    const bool outdated = iteration.outdated;
    iteration = {};
    const bool noted = announced.watched != seen;
    if (!noted) forget_announced_loads();
    if (done != 0) return done;
    if (!noted) refused_on_trial("an atomic wait without a load");
    if (outdated) return 0;
    runtime->wait_at(code_location_here("wait"), seen->access, seen->value);
    return 0;
}

/// Takes one from the count of a semaphore as soon as there is one. Returns whether on trial.
int __ordeal_acquire(const volatile void* count) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return 0;
    const code_location at = code_location_here("acquire");
    // order: acquire <- release(): what was written before it
    runtime->acquire_semaphore(at, {range_at(count, sizeof(int)), order::acquire, plain_code_site(at)});
    return 1;
}

/// Takes one from the count of a semaphore if there is one: 1, or 0; -1 if not on trial.
int __ordeal_try_acquire(const volatile void* count) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return -1;
    const call_origin from = call_origin_here("try_acquire");
    // order: acquire <- release(): what was written before it
    return runtime->try_acquire_semaphore(from,
                                          {range_at(count, sizeof(int)), order::acquire, plain_code_site(from.at)})
               ? 1
               : 0;
}

void __ordeal_notify(const volatile void* object, std::size_t size, int all) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    const code_location at = code_location_here(all != 0 ? "notify_all" : "notify_one");
    notify(*runtime, range_at(object, size), all != 0, at);
}

/// The same by a notifier that has just released a waiter, which may have destroyed the object since.
void __ordeal_notify_address(const volatile void* object, int all) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    const code_location at = code_location_here(all != 0 ? "notify_all" : "notify_one");
    runtime->notify_address(reinterpret_cast<std::uintptr_t>(object), all != 0, plain_code_site(at));
}

/// A timed wait has found nothing, with this many nanoseconds left: on trial they have passed. Returns 0 if not on
/// trial, 1 if the limit has come, and 2 if it has come when no thread could go on otherwise, so that there may be
/// something now.
int __ordeal_comes_to_limit(long distance) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return 0;
    const code_location at = code_location_here("time out");
    const wait_timeout limit{.when = wait_timeout::kind::pending, .distance = static_cast<std::uint64_t>(distance)};
    if (model_time::sleep_until(*runtime, limit, plain_code_site(at))) return 2;
    model_time::time_out(*runtime, limit, plain_code_site(at));
    return 1;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
