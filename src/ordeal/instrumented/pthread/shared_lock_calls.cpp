// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read-write locks of <pthread.h>, on which std::shared_mutex is built.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"

#include <pthread.h>

#include <cerrno>
#include <cstdint>

namespace ordeal::detail {

namespace {

using function = int(pthread_rwlock_t*);
using until_function = int(pthread_rwlock_t*, const timespec*);
using clock_function = int(pthread_rwlock_t*, clockid_t, const timespec*);

constinit real_function<int(pthread_rwlock_t*, const pthread_rwlockattr_t*)> real_init("pthread_rwlock_init");
constinit real_function<function> real_destroy("pthread_rwlock_destroy");
constinit real_function<function> real_rdlock("pthread_rwlock_rdlock");
constinit real_function<function> real_tryrdlock("pthread_rwlock_tryrdlock");
constinit real_function<function> real_wrlock("pthread_rwlock_wrlock");
constinit real_function<function> real_trywrlock("pthread_rwlock_trywrlock");
constinit real_function<function> real_unlock("pthread_rwlock_unlock");
constinit real_function<until_function> real_timedrdlock("pthread_rwlock_timedrdlock");
constinit real_function<until_function> real_timedwrlock("pthread_rwlock_timedwrlock");
constinit real_function<clock_function> real_clockrdlock("pthread_rwlock_clockrdlock");
constinit real_function<clock_function> real_clockwrlock("pthread_rwlock_clockwrlock");

/// One call on the runtime.
class shared_lock_on_trial {
public:
    shared_lock_on_trial(instrumented_runtime& runtime, const code_location& at, pthread_rwlock_t* lock)
        : runtime_(&runtime), at_(&at), address_(reinterpret_cast<std::uintptr_t>(lock)) {
        runtime.touch_lock({address_, sizeof(*lock)}, *at_);
    }

    int lock() {
        runtime_->lock(address_, plain_code_site(*at_));
        return 0;
    }
    int lock_shared() {
        if (runtime_->holds_shared(address_))
            require_posix("a thread that holds a shared mutex as a reader locks it again");
        runtime_->lock_shared(address_, plain_code_site(*at_));
        return 0;
    }
    int try_lock(const caller_state& caller) {
        require_unlocked();
        return runtime_->try_lock_for(caller, address_, plain_code_site(*at_)) ? 0 : EBUSY;
    }
    int try_lock_shared(const caller_state& caller) {
        require_unlocked();
        return runtime_->try_lock_shared_for(caller, address_, plain_code_site(*at_)) ? 0 : EBUSY;
    }
    // One function for exclusive and shared owners.
    int unlock() {
        if (runtime_->holds(address_)) {
            runtime_->unlock(address_, plain_code_site(*at_));
        } else {
            runtime_->unlock_shared(address_, plain_code_site(*at_));
        }
        return 0;
    }

private:
    // POSIX lets a thread hold several read locks, and returns errors otherwise; std::shared_mutex does neither
    // ([thread.sharedmutex.requirements.general]). Calls from its header are recognised by their site.
    void require_posix(const char* wrong) {
        if (is_library_code(at_->address)) runtime_->fail(violation_kind::precondition, wrong, plain_code_site(*at_));
    }
    void require_unlocked() {
        if (!runtime_->holds(address_) && !runtime_->holds_shared(address_)) return;
        require_posix("a thread tries to lock a shared mutex that it holds");
    }

    instrumented_runtime* runtime_;
    const code_location* at_;
    std::uintptr_t address_;
};

void begins(pthread_rwlock_t* lock, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime != nullptr) runtime->begin_synchroniser({range_at(lock, sizeof(*lock)), "shared mutex"}, at);
}

void ends(pthread_rwlock_t* lock, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime != nullptr) runtime->end_synchroniser({range_at(lock, sizeof(*lock)), "shared mutex"}, at);
}

[[gnu::noinline]] int try_lock(const call_origin& from, pthread_rwlock_t* lock) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_trywrlock(lock);
    return shared_lock_on_trial(*runtime, from.at, lock).try_lock(from.caller);
}

[[gnu::noinline]] int try_lock_shared(const call_origin& from, pthread_rwlock_t* lock) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_tryrdlock(lock);
    return shared_lock_on_trial(*runtime, from.at, lock).try_lock_shared(from.caller);
}

// As with a mutex, see lock_calls.cpp.
int lock_until(instrumented_runtime& runtime, const call_origin& from, pthread_rwlock_t* lock, bool shared,
               clockid_t clock, const timespec* until) {
    caller_accesses::of_trial_code(from.at).reads_object(until);
    const auto limit = model_time::limit_of(runtime, clock, *until);
    if (!limit) return EINVAL;
    shared_lock_on_trial on_trial(runtime, from.at, lock);
    if (limit->when == wait_timeout::kind::none) return shared ? on_trial.lock_shared() : on_trial.lock();
    const auto locks = [&] {
        return (shared ? on_trial.try_lock_shared(from.caller) : on_trial.try_lock(from.caller)) == 0;
    };
    if (locks()) return 0;
    if (model_time::sleep_until(runtime, *limit, plain_code_site(from.at)) && locks()) return 0;
    model_time::time_out(runtime, *limit, plain_code_site(from.at));
    return ETIMEDOUT;
}

[[gnu::noinline]] int lock_until(const call_origin& from, pthread_rwlock_t* lock, bool shared, const timespec* until) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return shared ? real_timedrdlock(lock, until) : real_timedwrlock(lock, until);
    return lock_until(*runtime, from, lock, shared, CLOCK_REALTIME, until);
}

[[gnu::noinline]] int lock_until(const call_origin& from, pthread_rwlock_t* lock, bool shared, clockid_t clock,
                                 const timespec* until) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return shared ? real_clockrdlock(lock, clock, until) : real_clockwrlock(lock, clock, until);
    return lock_until(*runtime, from, lock, shared, clock, until);
}

}  // namespace

extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
    const code_location at = code_location_here("initialise shared mutex");
    caller_accesses::of_trial_code(at).reads_object(attributes);
    begins(lock, at);
    return real_init(lock, attributes);
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
    ends(lock, code_location_here("destroy shared mutex"));
    return real_destroy(lock);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_rdlock(lock);
    return shared_lock_on_trial(*runtime, code_location_here("lock_shared"), lock).lock_shared();
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
    return try_lock_shared(call_origin_here("try_lock_shared"), lock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_wrlock(lock);
    return shared_lock_on_trial(*runtime, code_location_here("lock"), lock).lock();
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept { return try_lock(call_origin_here("try_lock"), lock); }
int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return real_unlock(lock);
    return shared_lock_on_trial(*runtime, code_location_here("unlock"), lock).unlock();
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
    return lock_until(call_origin_here("try_lock_shared_until"), lock, true, until);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
    return lock_until(call_origin_here("try_lock_shared_until"), lock, true, clock, until);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
    return lock_until(call_origin_here("try_lock_until"), lock, false, until);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
    return lock_until(call_origin_here("try_lock_until"), lock, false, clock, until);
}

}  // extern "C"

}  // namespace ordeal::detail
