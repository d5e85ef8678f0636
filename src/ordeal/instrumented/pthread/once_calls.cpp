// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens once: pthread_once, which is std::call_once too, and the initialisation of local statics. Each has a flag,
// an atomic that whoever comes later looks at, and a lock for those who come meanwhile. The lock has no memory of its own;
// it is known by the flag's address with a bit set that no address has.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/process_state/thread_storage.hpp"

#include <cxxabi.h>
#include <pthread.h>

#include <cstdint>
#include <mutex>

namespace ordeal {

namespace {

constexpr pthread_once_t once_done = 2;  // as the C library has it
constexpr std::uint64_t guard_done = 1;  // as the C++ ABI has it, and the code that the compiler makes

constinit real_function<int(pthread_once_t*, void (*)())> real_pthread_once("pthread_once");

/// A flag and its lock.
template <class Flag>
class once_flag_on_trial {
public:
    once_flag_on_trial(instrumented_runtime& runtime, const call_origin& from, Flag* flag) noexcept
        : runtime_(&runtime), caller_(&from.caller), at_(&from.at), flag_(flag) {}

    [[nodiscard]] std::uint64_t load(order using_order) {
        runtime_->touch_atomic(where(), false, *at_);
        return runtime_->load_for(*caller_, {where(), using_order, plain_code_site(*at_)});
    }
    void store(std::uint64_t value) {
        runtime_->touch_atomic(where(), true, *at_);
        // order: release -> load: what the initialisation wrote reaches everyone who finds it done
        runtime_->store({where(), order::release, plain_code_site(*at_)}, value);
        *flag_ = static_cast<Flag>(value);  // for code that is not instrumented
    }
    void lock() {
        runtime_->touch_lock({lock_address(), 1}, *at_);
        runtime_->lock(lock_address(), plain_code_site(*at_));
    }
    void unlock() { runtime_->unlock(lock_address(), plain_code_site(*at_)); }

private:
    [[nodiscard]] memory_range where() const noexcept { return range_at(flag_, sizeof(Flag)); }
    [[nodiscard]] std::uintptr_t lock_address() const noexcept {
        return reinterpret_cast<std::uintptr_t>(flag_) | companion_lock;
    }

    instrumented_runtime* runtime_;
    const caller_state* caller_;
    const code_location* at_;
    Flag* flag_;
};

using guard_flag = once_flag_on_trial<unsigned char>;

// Other threads of the model may call std::call_once between our caller, which set these, and the routine.
thread_storage::once_call once_call_to_make(instrumented_runtime& runtime, const call_origin& from) {
    if (is_trial_code(from.at.address)) return thread_storage::current_once_call(runtime);
    return {std::__once_callable, std::__once_call};
}

void run_routine(const thread_storage::once_call& how, void (*routine)()) {
    std::__once_callable = how.callable;
    std::__once_call = how.call;
    routine();
}

// An exception that leaves the routine leaves it undone.
[[gnu::noinline]] int once(const call_origin& from, pthread_once_t* control, void (*routine)()) {
    instrumented_runtime* const runtime = runtime_on_trial_for(control);
    if (runtime == nullptr) return real_pthread_once(control, routine);
    const thread_storage::once_call call = once_call_to_make(*runtime, from);
    once_flag_on_trial flag(*runtime, from, control);
    // order: acquire <- store: as there
    if (flag.load(order::acquire) == once_done) return 0;
    flag.lock();
    // order: relaxed: the lock orders it
    if (flag.load(order::relaxed) != once_done) {
        try {
            run_routine(call, routine);
        } catch (...) {
            flag.unlock();
            throw;
        }
        flag.store(once_done);
    }
    flag.unlock();
    return 0;
}

unsigned char* flag_of(abi::__guard* guard) noexcept { return reinterpret_cast<unsigned char*>(guard); }

// The code on trial has loaded the flag itself before it calls.
[[gnu::noinline]] int begin_initialisation(const call_origin& from, abi::__guard* guard) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return abi::__cxa_guard_acquire(guard);
    guard_flag flag(*runtime, from, flag_of(guard));
    flag.lock();
    // order: relaxed: the lock orders it
    if (flag.load(order::relaxed) != guard_done) return 1;
    flag.unlock();
    return 0;
}

[[gnu::noinline]] void end_initialisation(const call_origin& from, abi::__guard* guard, bool done) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return done ? abi::__cxa_guard_release(guard) : abi::__cxa_guard_abort(guard);
    guard_flag flag(*runtime, from, flag_of(guard));
    if (done) flag.store(guard_done);
    flag.unlock();
}

}  // namespace

}  // namespace ordeal

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int pthread_once(pthread_once_t* control, void (*routine)()) {
    return ordeal::once(ordeal::call_origin_here("call once"), control, routine);
}

int __wrap___cxa_guard_acquire(abi::__guard* guard) {
    return ordeal::begin_initialisation(ordeal::call_origin_here("initialise static"), guard);
}
void __wrap___cxa_guard_release(abi::__guard* guard) {
    ordeal::end_initialisation(ordeal::call_origin_here("static initialised"), guard, true);
}
void __wrap___cxa_guard_abort(abi::__guard* guard) {
    ordeal::end_initialisation(ordeal::call_origin_here("static not initialised"), guard, false);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
