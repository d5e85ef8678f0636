// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System calls made by number. Futexes are waited on and woken in that way, also by libstdc++ for std::future.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/blocking_calls.hpp"
#include "ordeal/instrumented/kernel/fixed_answers.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <bits/atomic_futex.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <exception>
#include <optional>

namespace ordeal::detail {

namespace {

constinit real_function<long(long, ...)> real_syscall("syscall");

using arguments = std::array<long, 6>;

constexpr long first_thread_id = 1000;

const char* name_of(int operation) noexcept {
    switch (operation) {
        case FUTEX_REQUEUE:
        case FUTEX_CMP_REQUEUE: return "the futex operation FUTEX_REQUEUE";
        case FUTEX_WAKE_OP: return "the futex operation FUTEX_WAKE_OP";
        case FUTEX_LOCK_PI:
        case FUTEX_LOCK_PI2:
        case FUTEX_UNLOCK_PI:
        case FUTEX_TRYLOCK_PI: return "a futex with priority inheritance";
        default: return "an unusual futex operation";
    }
}

bool has_bitset(const arguments& given) noexcept {
    const int operation = static_cast<int>(given[1]) & FUTEX_CMD_MASK;
    if (operation != FUTEX_WAIT_BITSET && operation != FUTEX_WAKE_BITSET) return false;
    return static_cast<std::uint32_t>(given[5]) != FUTEX_BITSET_MATCH_ANY;
}

// The limit is a point in time or, for the older operation, a duration. Nothing if the time is invalid.
std::optional<wait_timeout> limit_of(instrumented_runtime& runtime, const arguments& given) {
    if (given[3] == 0) return wait_timeout{};
    const bool calendar = (static_cast<int>(given[1]) & FUTEX_CLOCK_REALTIME) != 0;
    const clockid_t clock = calendar ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    timespec until = *reinterpret_cast<const timespec*>(given[3]);
    if ((static_cast<int>(given[1]) & FUTEX_CMD_MASK) == FUTEX_WAIT) until = model_time::after(runtime, clock, until);
    return model_time::limit_of(runtime, clock, until);
}

// The system call futex. A real wait may also be interrupted by a signal, but there are none. The kernel wakes one
// thread where zero are requested; waking waiters on memory that no longer exists is allowed.
long kernel_wait(instrumented_runtime& runtime, const call_origin& from, memory_range where, const arguments& given) {
    const auto limit = limit_of(runtime, given);
    if (!limit) return fails_with(EINVAL);
    const site_id site = plain_code_site(from.at);
    switch (runtime.futex_wait(from, where, static_cast<std::uint32_t>(given[2]), *limit, site)) {
        case futex_wait_result::woken: return 0;
        case futex_wait_result::changed: return fails_with(EAGAIN);
        case futex_wait_result::timed_out: break;
    }
    model_time::time_out(runtime, *limit, site);
    return fails_with(ETIMEDOUT);
}

long kernel_wake(instrumented_runtime& runtime, const call_origin& from, memory_range where, const arguments& given) {
    const long count = std::clamp(static_cast<long>(static_cast<int>(given[2])), 1L, long{thread_slots});
    return runtime.futex_wake(from.caller, where.address, static_cast<unsigned>(count), plain_code_site(from.at));
}

// Whether the address is code of libstdc++.
bool is_of_library(std::uintptr_t code) {
    static const auto library = module_at(reinterpret_cast<std::uintptr_t>(&std::terminate));
    return library && library->contains(code);
}

// libstdc++'s use of it, for std::future. It reads again after each wait and wakes all, so that on the runtime a wait
// is one operation that returns once the word has changed. Reads once: a later change would be seen by a later read.
long library_wait(instrumented_runtime& runtime, const call_origin& from, memory_range where, const arguments& given) {
    const auto limit = limit_of(runtime, given);
    if (!limit) return fails_with(EINVAL);
    // order: relaxed: a futex orders nothing, its user's own operations do
    const atomic_access access{where, order::relaxed, plain_code_site(from.at)};
    const auto expected = static_cast<std::uint32_t>(given[2]);
    if (limit->when == wait_timeout::kind::none) {
        runtime.wait_at(from.at, access, expected);
        return 0;
    }
    if (runtime.load_at(from, access) != expected) return fails_with(EAGAIN);
    if (model_time::sleep_until(runtime, *limit, access.site) && runtime.load_at(from, access) != expected)
        return fails_with(EAGAIN);
    model_time::time_out(runtime, *limit, access.site);
    return fails_with(ETIMEDOUT);
}

long futex(instrumented_runtime& runtime, const call_origin& from, const arguments& given) {
    const memory_range where{static_cast<std::uintptr_t>(given[0]), sizeof(std::uint32_t)};
    const int operation = static_cast<int>(given[1]) & FUTEX_CMD_MASK;
    if (has_bitset(given)) runtime.refuse("a futex with a bitset", plain_code_site(from.at));
    switch (operation) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET:
            caller_accesses::of_trial_code(from.at).reads_object(reinterpret_cast<const timespec*>(given[3]));
            return is_of_library(from.at.address) ? library_wait(runtime, from, where, given)
                                                  : kernel_wait(runtime, from, where, given);
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET: return kernel_wake(runtime, from, where, given);
        default: runtime.refuse(name_of(operation), plain_code_site(from.at));
    }
    return 0;  // not reached
}

long own_id(instrumented_runtime& runtime) {
    runtime.note_own_id();
    return first_thread_id + runtime.thread();
}

[[gnu::noinline]] long call(const call_origin& from, long number, const arguments& given) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) {
        if (number == SYS_futex) return futex(*runtime, from, given);
        if (number == SYS_gettid) return own_id(*runtime);
        code_location at = from.at;
        at.operation = number == SYS_sched_yield ? "yield" : "system call";
        if (number == SYS_sched_yield) {
            runtime->yield(plain_code_site(at));
            return 0;
        }
        refuse_system_call_that_waits(*runtime, at, number, given.data());
        if (const auto answer = fixed_answers::system_call(*runtime, at, number, given)) return *answer;
    }
    return real_syscall(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

}  // namespace

}  // namespace ordeal::detail

// Replaces the library's own function, which may tail-call the system call, so that its caller would be unknown. Weak,
// for programs that link that library statically.
[[gnu::weak]] void std::__atomic_futex_unsigned_base::_M_futex_notify_all(unsigned* word) {
    ordeal::detail::instrumented_runtime* const runtime = ordeal::detail::runtime_on_trial();
    if (runtime == nullptr) {
        ordeal::detail::real_syscall(static_cast<long>(SYS_futex), word, static_cast<long>(FUTEX_WAKE),
                                     static_cast<long>(INT_MAX));
        return;
    }
    runtime->notify_address(reinterpret_cast<std::uintptr_t>(word), true,
                            ordeal::detail::plain_code_site(ordeal::detail::code_location_here("futex")));
}

extern "C" {

long syscall(long number, ...) noexcept {
    ordeal::detail::arguments given;
    std::va_list list;
    va_start(list, number);
    for (long& each : given) each = va_arg(list, long);
    va_end(list);
    return ordeal::detail::call(ordeal::detail::call_origin_here("futex"), number, given);
}

pid_t gettid() noexcept {
    ordeal::detail::instrumented_runtime* const runtime = ordeal::detail::runtime_on_trial();
    return static_cast<pid_t>(runtime == nullptr ? ordeal::detail::real_syscall(static_cast<long>(SYS_gettid))
                                                 : ordeal::detail::own_id(*runtime));
}

}  // extern "C"
