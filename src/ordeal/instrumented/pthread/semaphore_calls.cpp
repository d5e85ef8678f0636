// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unnamed semaphores of <semaphore.h>, called by code on trial; those of C++ are made of atomics. The count is where
// the C library stores it, so that a semaphore initialised by a constructor before main is the same on trial.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"

#include <fcntl.h>
#include <semaphore.h>

#include <bit>
#include <cerrno>
#include <cstdarg>
#include <cstdint>

namespace ordeal::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "the count is the first half of a word of eight bytes");

atomic_access count_of(const sem_t* semaphore, order using_order, const code_location& at) {
    return {range_at(semaphore, sizeof(std::uint32_t)), using_order, plain_code_site(at)};
}

synchroniser the(const sem_t* semaphore, unsigned value) noexcept {
    return {range_at(semaphore, sizeof(*semaphore)), "semaphore", object_kind::atomic,
            range_at(semaphore, sizeof(std::uint32_t)), value};
}

int acquire(instrumented_runtime& runtime, sem_t* semaphore, const code_location& at) {
    // order: acquire <- sem_post: what was written before the post
    runtime.acquire_semaphore(at, count_of(semaphore, order::acquire, at));
    return 0;
}

bool try_acquire_on(instrumented_runtime& runtime, const call_origin& from, sem_t* semaphore) {
    // order: as acquire
    return runtime.try_acquire_semaphore(from, count_of(semaphore, order::acquire, from.at));
}

[[gnu::noinline]] int try_acquire(const call_origin& from, sem_t* semaphore) {
    instrumented_runtime* const runtime = runtime_on_trial_for(semaphore);
    if (runtime == nullptr) return sem_trywait(semaphore);
    return try_acquire_on(*runtime, from, semaphore) ? 0 : fails_with(EAGAIN);
}

// Reads once: a later post would be seen by a later attempt.
[[gnu::noinline]] int acquire_until(const call_origin& from, sem_t* semaphore, clockid_t clock, const timespec* until) {
    instrumented_runtime* const runtime = runtime_on_trial_for(semaphore);
    if (runtime == nullptr) return sem_clockwait(semaphore, clock, until);
    caller_accesses(from.at).reads_object(until);
    const auto limit = model_time::limit_of(*runtime, clock, *until);
    if (limit && limit->when == wait_timeout::kind::none) return acquire(*runtime, semaphore, from.at);
    if (try_acquire_on(*runtime, from, semaphore)) return 0;
    if (!limit) return fails_with(EINVAL);
    const site_id site = plain_code_site(from.at);
    if (model_time::sleep_until(*runtime, *limit, site) && try_acquire_on(*runtime, from, semaphore)) return 0;
    model_time::time_out(*runtime, *limit, site);
    return fails_with(ETIMEDOUT);
}

[[gnu::noinline]] int release(const call_origin& from, sem_t* semaphore) {
    instrumented_runtime* const runtime = runtime_on_trial_for(semaphore);
    if (runtime == nullptr) return sem_post(semaphore);
    // order: release -> sem_wait: what was written before it
    const std::uint64_t before =
        runtime->modify_at(from, count_of(semaphore, order::release, from.at), modification::add, 1);
    // It would fail, as one operation.
    if (before >= SEM_VALUE_MAX) runtime->refuse("a semaphore above SEM_VALUE_MAX", plain_code_site(from.at));
    return 0;
}

[[gnu::noinline]] int count(const call_origin& from, sem_t* semaphore, int* value) {
    instrumented_runtime* const runtime = runtime_on_trial_for(semaphore);
    if (runtime == nullptr) return sem_getvalue(semaphore, value);
    // order: relaxed: it says what the count was at some time
    const auto now = static_cast<int>(runtime->load_at(from, count_of(semaphore, order::relaxed, from.at)));
    caller_accesses(from.at).writes_object(value);
    *value = now;
    return 0;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int __wrap_sem_init(sem_t* semaphore, int shared, unsigned value) {
    instrumented_runtime* const runtime = runtime_on_trial_for(semaphore);
    if (runtime != nullptr)
        runtime->begin_synchroniser(the(semaphore, value), code_location_here("initialise semaphore"));
    return sem_init(semaphore, shared, value);
}
int __wrap_sem_destroy(sem_t* semaphore) {
    instrumented_runtime* const runtime = runtime_on_trial_for(semaphore);
    if (runtime != nullptr) runtime->end_synchroniser(the(semaphore, 0), code_location_here("destroy semaphore"));
    return sem_destroy(semaphore);
}
int __wrap_sem_post(sem_t* semaphore) { return release(call_origin_here("release"), semaphore); }
int __wrap_sem_wait(sem_t* semaphore) {
    instrumented_runtime* const runtime = runtime_on_trial_for(semaphore);
    if (runtime == nullptr) return sem_wait(semaphore);
    return acquire(*runtime, semaphore, code_location_here("acquire"));
}
int __wrap_sem_trywait(sem_t* semaphore) { return try_acquire(call_origin_here("try_acquire"), semaphore); }
int __wrap_sem_timedwait(sem_t* semaphore, const timespec* until) {
    return acquire_until(call_origin_here("try_acquire_until"), semaphore, CLOCK_REALTIME, until);
}
int __wrap_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    return acquire_until(call_origin_here("try_acquire_until"), semaphore, clock, until);
}
int __wrap_sem_getvalue(sem_t* semaphore, int* value) { return count(call_origin_here("count"), semaphore, value); }
// A named semaphore is shared with other processes.
sem_t* __wrap_sem_open(const char* name, int flags, ...) {
    refused_on_trial("the function sem_open");
    if ((flags & O_CREAT) == 0) return sem_open(name, flags);
    std::va_list list;
    va_start(list, flags);
    const auto mode = va_arg(list, mode_t);
    const auto value = va_arg(list, unsigned);
    va_end(list);
    return sem_open(name, flags, mode, value);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace ordeal::detail
