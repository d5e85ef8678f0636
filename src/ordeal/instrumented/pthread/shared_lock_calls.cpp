// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read-write locks of <pthread.h>, on which std::shared_mutex is built.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"

#include <pthread.h>

#include <cerrno>
#include <cstddef>
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

// A lock that prefers writers counts those that wait in its last bytes, which the C library does not use, and which are
// initially 0. While a writer waits, such a lock accepts no reader: one that holds it already waits for itself.
using writers = std::uint32_t;
constexpr std::size_t place_of_writers = sizeof(pthread_rwlock_t) - sizeof(writers);
static_assert(offsetof(pthread_rwlock_t, __data.__flags) + sizeof(unsigned) <= place_of_writers);

bool prefers_writers(const pthread_rwlock_t& lock) noexcept {
    return lock.__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

bool prefers_writers(const pthread_rwlockattr_t* attributes) noexcept {
    int kind = PTHREAD_RWLOCK_DEFAULT_NP;
    if (attributes != nullptr) pthread_rwlockattr_getkind_np(attributes, &kind);
    return kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

// Without that count.
memory_range lock_in(const pthread_rwlock_t* lock, bool counts_writers) noexcept {
    return range_at(lock, counts_writers ? place_of_writers : sizeof(*lock));
}
memory_range count_in(const pthread_rwlock_t* lock) noexcept {
    return {reinterpret_cast<std::uintptr_t>(lock) + place_of_writers, sizeof(writers)};
}

/// One call on the runtime.
class shared_lock_on_trial {
public:
    shared_lock_on_trial(instrumented_runtime& runtime, const call_origin& from, pthread_rwlock_t* lock)
        : runtime_(&runtime),
          from_(&from),
          address_(reinterpret_cast<std::uintptr_t>(lock)),
          prefers_writers_(prefers_writers(*lock)),
          waiting_writers_(count_in(lock)) {
        runtime.touch_lock(lock_in(lock, prefers_writers_), from.at);
    }

    int lock() {
        begin_waiting();
        runtime_->lock(address_, site());
        end_waiting();
        return 0;
    }
    /// As a writer, whom readers may let go first.
    void begin_waiting() {
        if (prefers_writers_) change_waiting_writers(modification::add);
    }
    void end_waiting() {
        if (prefers_writers_) change_waiting_writers(modification::subtract);
    }
    /// Whether readers know of a writer that waits.
    [[nodiscard]] bool counts_writers() const noexcept { return prefers_writers_; }
    int lock_shared() {
        if (runtime_->holds_shared(address_))
            require_posix("a thread that holds a shared mutex as a reader locks it again");
        if (prefers_writers_) await_writers();
        runtime_->lock_shared(address_, site());
        return 0;
    }
    int try_lock() {
        require_unlocked();
        return runtime_->try_lock_for(from_->caller, address_, site()) ? 0 : EBUSY;
    }
    int try_lock_shared() {
        require_unlocked();
        if (prefers_writers_ && runtime_->load_at(*from_, count_of_writers()) != 0) return EBUSY;
        return runtime_->try_lock_shared_for(from_->caller, address_, site()) ? 0 : EBUSY;
    }
    // One function for exclusive and shared owners.
    int unlock() {
        require_mode();
        if (runtime_->holds(address_)) {
            runtime_->unlock(address_, site());
        } else {
            runtime_->unlock_shared(address_, site());
        }
        return 0;
    }

private:
    [[nodiscard]] site_id site() const { return plain_code_site(from_->at); }

    // POSIX lets a thread hold several read locks, and returns errors otherwise; std::shared_mutex does neither
    // ([thread.sharedmutex.requirements.general]). Calls from its header are recognised by their site.
    void require_posix(const char* wrong) {
        if (is_library_code(from_->at.address)) runtime_->fail(violation_kind::precondition, wrong, site());
    }
    void require_unlocked() {
        if (!runtime_->holds(address_) && !runtime_->holds_shared(address_)) return;
        require_posix("a thread tries to lock a shared mutex that it holds");
    }

    // std::shared_mutex has a function for each, which both come to this one.
    void require_mode() {
        const bool shared = runtime_->holds_shared(address_);
        if ((!shared && !runtime_->holds(address_)) || !is_library_code(from_->at.address)) return;
        if (is_called_by_library_function(from_->at, "unlock_shared") == shared) return;
        runtime_->fail(violation_kind::precondition,
                       shared ? "a thread that holds a shared mutex as a reader unlocks it as a writer"
                              : "a thread that holds a shared mutex as a writer unlocks it as a reader",
                       site());
    }

    // order: relaxed, here and below: the count decides who waits, and the lock orders who holds it
    [[nodiscard]] atomic_access count_of_writers() const { return {waiting_writers_, order::relaxed, site()}; }
    void change_waiting_writers(modification how) {
        const atomic_access count = count_of_writers();
        (void)runtime_->modify_at(*from_, count, how, 1);
        if (how == modification::subtract) runtime_->notify_address(count.where.address, true, count.site);
    }
    void await_writers() {
        const atomic_access count = count_of_writers();
        for (auto now = runtime_->load_at(*from_, count); now != 0; now = runtime_->load_at(*from_, count))
            runtime_->wait_at(from_->at, count, now);
    }

    instrumented_runtime* runtime_;
    const call_origin* from_;
    std::uintptr_t address_;
    bool prefers_writers_;
    memory_range waiting_writers_;
};

void begins(pthread_rwlock_t* lock, bool counts_writers, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return;
    runtime->begin_synchroniser({lock_in(lock, counts_writers), "shared mutex"}, at);
    if (counts_writers) runtime->write_bytes(count_in(lock), at);
}

void ends(pthread_rwlock_t* lock, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return;
    const bool counts_writers = prefers_writers(*lock);
    runtime->end_synchroniser({lock_in(lock, counts_writers), "shared mutex"}, at);
    if (counts_writers) runtime->write_bytes(count_in(lock), at);
}

[[gnu::noinline]] int called(const call_origin& from, pthread_rwlock_t* lock, int (shared_lock_on_trial::*on_trial)(),
                             real_function<function>& really) {
    instrumented_runtime* const runtime = runtime_on_trial_for(lock);
    if (runtime == nullptr) return really(lock);
    shared_lock_on_trial call(*runtime, from, lock);
    return (call.*on_trial)();
}

// As with a mutex, see lock_calls.cpp.
int lock_until(instrumented_runtime& runtime, const call_origin& from, pthread_rwlock_t* lock, bool shared,
               clockid_t clock, const timespec* until) {
    caller_accesses::of_trial_code(from.at).reads_object(until);
    const auto limit = model_time::limit_of(runtime, clock, *until);
    if (!limit) return EINVAL;
    shared_lock_on_trial on_trial(runtime, from, lock);
    if (limit->when == wait_timeout::kind::none) return shared ? on_trial.lock_shared() : on_trial.lock();
    const auto locks = [&] { return (shared ? on_trial.try_lock_shared() : on_trial.try_lock()) == 0; };
    if (locks()) return 0;
    if (!shared) on_trial.begin_waiting();
    const bool slept = model_time::sleep_until(runtime, *limit, plain_code_site(from.at));
    // Where readers know that it waits, what they do then may be before it locks.
    const bool looks_again = slept || (!shared && on_trial.counts_writers());
    const bool locked = looks_again && locks();
    if (!shared) on_trial.end_waiting();
    if (locked) return 0;
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
    begins(lock, prefers_writers(attributes), at);
    return real_init(lock, attributes);
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
    ends(lock, code_location_here("destroy shared mutex"));
    return real_destroy(lock);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    return called(call_origin_here("lock_shared"), lock, &shared_lock_on_trial::lock_shared, real_rdlock);
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
    return called(call_origin_here("try_lock_shared"), lock, &shared_lock_on_trial::try_lock_shared, real_tryrdlock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    return called(call_origin_here("lock"), lock, &shared_lock_on_trial::lock, real_wrlock);
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
    return called(call_origin_here("try_lock"), lock, &shared_lock_on_trial::try_lock, real_trywrlock);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
    return called(call_origin_here("unlock"), lock, &shared_lock_on_trial::unlock, real_unlock);
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
