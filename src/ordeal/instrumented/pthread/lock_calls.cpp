// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutexes of <pthread.h> and <threads.h>, and spin locks, for the whole process: libstdc++ calls them too.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/instrumented/pthread/c_threads.hpp"

#include <pthread.h>

#include <cerrno>
#include <cstdint>

namespace ordeal::detail {

namespace {

constinit real_function<int(pthread_mutex_t*, const pthread_mutexattr_t*)> real_mutex_init("pthread_mutex_init");
constinit real_function<int(pthread_mutex_t*)> real_mutex_destroy("pthread_mutex_destroy");
constinit real_function<int(pthread_mutex_t*)> real_mutex_lock("pthread_mutex_lock");
constinit real_function<int(pthread_mutex_t*)> real_mutex_trylock("pthread_mutex_trylock");
constinit real_function<int(pthread_mutex_t*)> real_mutex_unlock("pthread_mutex_unlock");
constinit real_function<int(pthread_mutex_t*, const timespec*)> real_mutex_timedlock("pthread_mutex_timedlock");
constinit real_function<int(pthread_mutex_t*, clockid_t, const timespec*)> real_mutex_clocklock(
    "pthread_mutex_clocklock");
constinit real_function<int(mtx_t*, int)> real_mtx_init("mtx_init");
constinit real_function<void(mtx_t*)> real_mtx_destroy("mtx_destroy");
constinit real_function<int(mtx_t*)> real_mtx_lock("mtx_lock");
constinit real_function<int(mtx_t*)> real_mtx_trylock("mtx_trylock");
constinit real_function<int(mtx_t*)> real_mtx_unlock("mtx_unlock");
constinit real_function<int(mtx_t*, const timespec*)> real_mtx_timedlock("mtx_timedlock");
constinit real_function<int(pthread_spinlock_t*, int)> real_spin_init("pthread_spin_init");
constinit real_function<int(pthread_spinlock_t*)> real_spin_destroy("pthread_spin_destroy");
constinit real_function<int(pthread_spinlock_t*)> real_spin_lock("pthread_spin_lock");
constinit real_function<int(pthread_spinlock_t*)> real_spin_trylock("pthread_spin_trylock");
constinit real_function<int(pthread_spinlock_t*)> real_spin_unlock("pthread_spin_unlock");

bool is_kind(const pthread_mutex_t& mutex, int kind) noexcept { return (mutex.__data.__kind & 3) == kind; }
bool is_recursive(const pthread_mutex_t& mutex) noexcept { return is_kind(mutex, PTHREAD_MUTEX_RECURSIVE_NP); }
bool is_checked(const pthread_mutex_t& mutex) noexcept { return is_kind(mutex, PTHREAD_MUTEX_ERRORCHECK_NP); }

/// A mutex on the runtime; it counts recursive locking itself, like the C library. Where POSIX returns an error, a C++
/// mutex has a precondition ([thread.mutex.requirements.mutex.general]), and its violation is reported if its header
/// made the call.
class mutex_on_trial {
public:
    mutex_on_trial(instrumented_runtime& runtime, const code_location& at, pthread_mutex_t* mutex)
        : runtime_(&runtime), at_(&at), mutex_(mutex) {
        runtime.touch_lock(range_at(mutex, sizeof(*mutex)), *at_);
    }

    int lock() {
        if (is_recursive(*mutex_) && held()) return again();
        if (is_checked(*mutex_) && held()) return EDEADLK;
        runtime_->lock(address(), plain_code_site(*at_));
        return first();
    }
    int try_lock(const caller_state& caller) {
        if (is_recursive(*mutex_) && held()) return again();
        if (held() && is_library_code(at_->address)) {
            runtime_->fail(violation_kind::precondition, "a thread tries to lock a mutex that it holds",
                           plain_code_site(*at_));
        }
        if (!runtime_->try_lock_for(caller, address(), plain_code_site(*at_))) return EBUSY;
        return first();
    }
    int unlock() {
        if (!held() && (is_recursive(*mutex_) || is_checked(*mutex_)) && !is_library_code(at_->address)) return EPERM;
        if (held() && is_recursive(*mutex_) && --mutex_->__data.__count != 0) return 0;
        runtime_->unlock(address(), plain_code_site(*at_));
        return 0;
    }

private:
    [[nodiscard]] std::uintptr_t address() const noexcept { return reinterpret_cast<std::uintptr_t>(mutex_); }
    [[nodiscard]] bool held() const { return runtime_->holds(address()); }
    int first() noexcept {
        if (is_recursive(*mutex_)) mutex_->__data.__count = 1;
        return 0;
    }
    int again() noexcept {
        ++mutex_->__data.__count;
        return 0;
    }

    instrumented_runtime* runtime_;
    const code_location* at_;
    pthread_mutex_t* mutex_;
};

void begins(const volatile void* lock, std::size_t size, const char* name, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime != nullptr) runtime->begin_synchroniser({range_at(lock, size), name}, at);
}

void ends(const volatile void* lock, std::size_t size, const char* name, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime != nullptr) runtime->end_synchroniser({range_at(lock, size), name}, at);
}

[[gnu::noinline]] int try_lock(const call_origin& from, pthread_mutex_t* mutex) {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_mutex_trylock(mutex);
    return mutex_on_trial(*runtime, from.at, mutex).try_lock(from.caller);
}

// Waiting until the mutex is free and then locking it is equivalent to trying later.
[[gnu::noinline]] int lock_until(const call_origin& from, pthread_mutex_t* mutex, clockid_t clock,
                                 const timespec* until) {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_mutex_clocklock(mutex, clock, until);
    caller_accesses::of_trial_code(from.at).reads_object(until);
    const auto limit = model_time::limit_of(*runtime, clock, *until);
    if (!limit) return EINVAL;
    mutex_on_trial lock(*runtime, from.at, mutex);
    if (limit->when == wait_timeout::kind::none) return lock.lock();
    if (lock.try_lock(from.caller) == 0) return 0;
    if (model_time::sleep_until(*runtime, *limit, plain_code_site(from.at)) && lock.try_lock(from.caller) == 0)
        return 0;
    model_time::time_out(*runtime, *limit, plain_code_site(from.at));
    return ETIMEDOUT;
}

[[gnu::noinline]] int lock_until(const call_origin& from, pthread_mutex_t* mutex, const timespec* until) {
    if (runtime_on_trial_for(mutex) == nullptr) return real_mutex_timedlock(mutex, until);
    return lock_until(from, mutex, CLOCK_REALTIME, until);
}

std::uintptr_t address_of(pthread_spinlock_t* lock) noexcept {
    return reinterpret_cast<std::uintptr_t>(const_cast<int*>(lock));
}

// The end of a thread would unlock it.
bool is_robust(const pthread_mutexattr_t* attributes) noexcept {
    int robust = PTHREAD_MUTEX_STALLED;
    if (attributes != nullptr) pthread_mutexattr_getrobust(attributes, &robust);
    return robust == PTHREAD_MUTEX_ROBUST;
}

[[gnu::noinline]] int try_spin_lock(const call_origin& from, pthread_spinlock_t* lock) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_spin_trylock(lock);
    runtime->touch_lock(range_at(lock, sizeof(*lock)), from.at);
    return runtime->try_lock_for(from.caller, address_of(lock), plain_code_site(from.at)) ? 0 : EBUSY;
}

}  // namespace

extern "C" {

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
    const code_location at = code_location_here("initialise mutex");
    caller_accesses::of_trial_code(at).reads_object(attributes);
    if (is_robust(attributes)) refused_on_trial("a robust mutex");
    begins(mutex, sizeof(*mutex), "mutex", at);
    return real_mutex_init(mutex, attributes);
}
int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
    ends(mutex, sizeof(*mutex), "mutex", code_location_here("destroy mutex"));
    return real_mutex_destroy(mutex);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_mutex_lock(mutex);
    return mutex_on_trial(*runtime, code_location_here("lock"), mutex).lock();
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept { return try_lock(call_origin_here("try_lock"), mutex); }
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_mutex_unlock(mutex);
    return mutex_on_trial(*runtime, code_location_here("unlock"), mutex).unlock();
}
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
    return lock_until(call_origin_here("try_lock_until"), mutex, until);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
    return lock_until(call_origin_here("try_lock_until"), mutex, clock, until);
}

[[gnu::weak]] int mtx_init(mtx_t* mutex, int kind) {
    begins(mutex, sizeof(*mutex), "mutex", code_location_here("initialise mutex"));
    return real_mtx_init(mutex, kind);
}
[[gnu::weak]] void mtx_destroy(mtx_t* mutex) {
    ends(mutex, sizeof(*mutex), "mutex", code_location_here("destroy mutex"));
    real_mtx_destroy(mutex);
}
[[gnu::weak]] int mtx_lock(mtx_t* mutex) {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_mtx_lock(mutex);
    return c_result(mutex_on_trial(*runtime, code_location_here("lock"), posix_mutex(mutex)).lock());
}
[[gnu::weak]] int mtx_trylock(mtx_t* mutex) {
    if (runtime_on_trial_for(mutex) == nullptr) return real_mtx_trylock(mutex);
    return c_result(try_lock(call_origin_here("try_lock"), posix_mutex(mutex)));
}
[[gnu::weak]] int mtx_unlock(mtx_t* mutex) {
    instrumented_runtime* const runtime = runtime_on_trial_for(mutex);
    if (runtime == nullptr) return real_mtx_unlock(mutex);
    return c_result(mutex_on_trial(*runtime, code_location_here("unlock"), posix_mutex(mutex)).unlock());
}
[[gnu::weak]] int mtx_timedlock(mtx_t* mutex, const timespec* until) {
    if (runtime_on_trial_for(mutex) == nullptr) return real_mtx_timedlock(mutex, until);
    return c_result(lock_until(call_origin_here("try_lock_until"), posix_mutex(mutex), until));
}

int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
    begins(lock, sizeof(*lock), "spin lock", code_location_here("initialise spin lock"));
    return real_spin_init(lock, shared);
}
int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
    ends(lock, sizeof(*lock), "spin lock", code_location_here("destroy spin lock"));
    return real_spin_destroy(lock);
}
int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_spin_lock(lock);
    const code_location at = code_location_here("lock");
    runtime->touch_lock(range_at(lock, sizeof(*lock)), at);
    runtime->lock(address_of(lock), plain_code_site(at));
    return 0;
}
int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
    return try_spin_lock(call_origin_here("try_lock"), lock);
}
int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_spin_unlock(lock);
    const code_location at = code_location_here("unlock");
    runtime->touch_lock(range_at(lock, sizeof(*lock)), at);
    runtime->unlock(address_of(lock), plain_code_site(at));
    return 0;
}

}  // extern "C"

}  // namespace ordeal::detail
