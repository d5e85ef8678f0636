// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Condition variables of <pthread.h> and <threads.h>. std::condition_variable calls those of <pthread.h> from inside
// libstdc++; for each, the C library also has an older version under the same name, which is not used.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/instrumented/pthread/c_threads.hpp"

#include <pthread.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <new>

namespace ordeal::detail {

namespace {

constexpr const char* version = "GLIBC_2.3.2";

constinit real_function<int(pthread_cond_t*, const pthread_condattr_t*)> real_init("pthread_cond_init", version);
constinit real_function<int(pthread_cond_t*)> real_destroy("pthread_cond_destroy", version);
constinit real_function<int(pthread_cond_t*)> real_signal("pthread_cond_signal", version);
constinit real_function<int(pthread_cond_t*)> real_broadcast("pthread_cond_broadcast", version);
constinit real_function<int(pthread_cond_t*, pthread_mutex_t*)> real_wait("pthread_cond_wait", version);
constinit real_function<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> real_timedwait(
    "pthread_cond_timedwait", version);
constinit real_function<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> real_clockwait(
    "pthread_cond_clockwait");
constinit real_function<int(cnd_t*)> real_cnd_init("cnd_init");
constinit real_function<void(cnd_t*)> real_cnd_destroy("cnd_destroy");
constinit real_function<int(cnd_t*)> real_cnd_signal("cnd_signal");
constinit real_function<int(cnd_t*)> real_cnd_broadcast("cnd_broadcast");
constinit real_function<int(cnd_t*, mtx_t*)> real_cnd_wait("cnd_wait");
constinit real_function<int(cnd_t*, mtx_t*, const timespec*)> real_cnd_timedwait("cnd_timedwait");

synchroniser the(pthread_cond_t* condition) noexcept {
    return {range_at(condition, sizeof(*condition)), "condition variable", object_kind::condition};
}

void begins(pthread_cond_t* condition, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial_for(condition);
    if (runtime != nullptr) runtime->begin_synchroniser(the(condition), at);
}

bool wait_on_port(instrumented_runtime& runtime, const call_origin& from, pthread_cond_t* condition,
                  pthread_mutex_t* mutex, const wait_timeout& limit) {
    runtime.touch_lock(range_at(mutex, sizeof(*mutex)), from.at);
    runtime.touch_condition(range_at(condition, sizeof(*condition)), from.at);
    // How often a recursive mutex is locked: others count their own meanwhile.
    const unsigned locked = mutex->__data.__count;
    if (locked > 1)
        runtime.refuse("a wait with a recursive mutex that is locked more than once", plain_code_site(from.at));
    const bool timed_out =
        runtime.condition_wait(from.caller, reinterpret_cast<std::uintptr_t>(condition),
                               reinterpret_cast<std::uintptr_t>(mutex), plain_code_site(from.at), limit);
    mutex->__data.__count = locked;
    return timed_out;
}

[[gnu::noinline]] int wait(const call_origin& from, pthread_cond_t* condition, pthread_mutex_t* mutex) {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_wait(condition, mutex);
    (void)wait_on_port(*runtime, from, condition, mutex, {});
    return 0;
}

[[gnu::noinline]] int wait_until(const call_origin& from, pthread_cond_t* condition, pthread_mutex_t* mutex,
                                 clockid_t clock, const timespec* until) {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_clockwait(condition, mutex, clock, until);
    caller_accesses::of_trial_code(from.at).reads_object(until);
    const auto limit = model_time::limit_of(*runtime, clock, *until);
    if (!limit) return EINVAL;
    if (!wait_on_port(*runtime, from, condition, mutex, *limit)) return 0;
    model_time::come_to(*runtime, *limit);
    return ETIMEDOUT;
}

// The clock of a condition variable, stored where the C library does.
clockid_t clock_of(const pthread_cond_t& condition) noexcept {
    constexpr unsigned monotonic = 2;
    return (condition.__data.__wrefs & monotonic) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

[[gnu::noinline]] int wait_until(const call_origin& from, pthread_cond_t* condition, pthread_mutex_t* mutex,
                                 const timespec* until) {
    if (runtime_on_trial_for(mutex) == nullptr) return real_timedwait(condition, mutex, until);
    return wait_until(from, condition, mutex, clock_of(*condition), until);
}

// The real function would block for its known waiters; on trial the runtime does, and checks them.
void end(instrumented_runtime& runtime, const code_location& at, pthread_cond_t* condition) {
    runtime.condition_await_departures(reinterpret_cast<std::uintptr_t>(condition));
    runtime.end_synchroniser(the(condition), at);
}

int notify(instrumented_runtime& runtime, const code_location& at, pthread_cond_t* condition, bool all) {
    runtime.touch_condition(range_at(condition, sizeof(*condition)), at);
    runtime.condition_notify(reinterpret_cast<std::uintptr_t>(condition), all, plain_code_site(at));
    return 0;
}

}  // namespace

extern "C" {

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
    const code_location at = code_location_here("initialise condition variable");
    caller_accesses::of_trial_code(at).reads_object(attributes);
    begins(condition, at);
    return real_init(condition, attributes);
}
int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(condition);
    if (runtime == nullptr) return real_destroy(condition);
    end(*runtime, code_location_here("destroy condition variable"), condition);
    return 0;
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(condition);
    if (runtime == nullptr) return real_signal(condition);
    return notify(*runtime, code_location_here("notify_one"), condition, false);
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(condition);
    if (runtime == nullptr) return real_broadcast(condition);
    return notify(*runtime, code_location_here("notify_all"), condition, true);
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return wait(call_origin_here("wait"), condition, mutex);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
    return wait_until(call_origin_here("wait"), condition, mutex, until);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
    return wait_until(call_origin_here("wait"), condition, mutex, clock, until);
}

[[gnu::weak]] int cnd_init(cnd_t* condition) {
    begins(posix_condition(condition), code_location_here("initialise condition variable"));
    return real_cnd_init(condition);
}
[[gnu::weak]] void cnd_destroy(cnd_t* condition) {
    instrumented_runtime* const runtime = runtime_on_trial_for(condition);
    if (runtime == nullptr) return real_cnd_destroy(condition);
    end(*runtime, code_location_here("destroy condition variable"), posix_condition(condition));
}
[[gnu::weak]] int cnd_signal(cnd_t* condition) {
    instrumented_runtime* const runtime = runtime_on_trial_for(condition);
    if (runtime == nullptr) return real_cnd_signal(condition);
    return notify(*runtime, code_location_here("notify_one"), posix_condition(condition), false);
}
[[gnu::weak]] int cnd_broadcast(cnd_t* condition) {
    instrumented_runtime* const runtime = runtime_on_trial_for(condition);
    if (runtime == nullptr) return real_cnd_broadcast(condition);
    return notify(*runtime, code_location_here("notify_all"), posix_condition(condition), true);
}
[[gnu::weak]] int cnd_wait(cnd_t* condition, mtx_t* mutex) {
    if (runtime_on_trial_for(mutex) == nullptr) return real_cnd_wait(condition, mutex);
    return wait(call_origin_here("wait"), posix_condition(condition), posix_mutex(mutex));
}
[[gnu::weak]] int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
    if (runtime_on_trial_for(mutex) == nullptr) return real_cnd_timedwait(condition, mutex, until);
    return c_result(
        wait_until(call_origin_here("wait"), posix_condition(condition), posix_mutex(mutex), CLOCK_REALTIME, until));
}

// std::condition_variable::condition_variable(), compiled into libstdc++; its destructor calls the function above.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
void __wrap__ZNSt18condition_variableC1Ev(std::condition_variable* made) {
    begins(made->native_handle(), code_location_here("initialise condition variable"));
    ::new (static_cast<void*>(made)) std::condition_variable;
}
[[gnu::alias("__wrap__ZNSt18condition_variableC1Ev")]] void __wrap__ZNSt18condition_variableC2Ev(
    std::condition_variable* made);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"

}  // namespace ordeal::detail
