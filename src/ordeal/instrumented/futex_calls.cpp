// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System calls that are made by number. libstdc++ waits and wakes with futexes in that way.
#include "ordeal/instrumented/code_sites.hpp"
#include "ordeal/instrumented/compiler_calls.hpp"
#include "ordeal/instrumented/fixed_answers.hpp"
#include "ordeal/instrumented/real_function.hpp"
#include "ordeal/instrumented/time_calls.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace ordeal {

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

// One look: what changes later would be seen by a later one. The limit is a point in time or, for the older operation, a
// time from now.
long futex_wait_until(byte_memory& port, const code_point& at, memory_range where, const arguments& given) {
    const bool calendar = (static_cast<int>(given[1]) & FUTEX_CLOCK_REALTIME) != 0;
    const clockid_t clock = calendar ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    timespec until = *reinterpret_cast<const timespec*>(given[3]);
    if ((static_cast<int>(given[1]) & FUTEX_CMD_MASK) == FUTEX_WAIT) until = model_time::after(port, clock, until);
    const auto limit = model_time::limit_of(port, clock, until);
    if (!limit) return fails_with(EINVAL);
    port.touch_atomic(where, false, at);
    // order: relaxed: as below
    const atomic_access access{where, order::relaxed, plain_code_site(at)};
    if (limit->when == wait_limit::kind::none) {
        port.wait(access, static_cast<std::uint32_t>(given[2]));
        return 0;
    }
    if (port.load(access) != static_cast<std::uint32_t>(given[2])) return fails_with(EAGAIN);
    model_time::time_out(port, *limit, access.site);
    return fails_with(ETIMEDOUT);
}

// As the wait of the model: it returns when the value is another one. That the real one may return earlier its callers
// have to expect anyway, and look again.
long futex_wait(byte_memory& port, const code_point& at, memory_range where, const arguments& given) {
    if (given[3] != 0) return futex_wait_until(port, at, where, given);
    port.touch_atomic(where, false, at);
    // order: relaxed: a futex orders nothing, its user's own operations do
    port.wait({where, order::relaxed, plain_code_site(at)}, static_cast<std::uint32_t>(given[2]));
    return 0;
}

// Waking those who wait on memory that is gone is allowed, and wakes nobody.
long futex_wake(byte_memory& port, const code_point& at, memory_range where, const arguments& given) {
    port.notify_address(where.address, given[2] > 1, plain_code_site(at));
    return 0;
}

long futex(byte_memory& port, const code_point& at, const arguments& given) {
    const memory_range where{static_cast<std::uintptr_t>(given[0]), sizeof(std::uint32_t)};
    const int operation = static_cast<int>(given[1]) & FUTEX_CMD_MASK;
    switch (operation) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET: return futex_wait(port, at, where, given);
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET: return futex_wake(port, at, where, given);
        default: port.refuse(name_of(operation), plain_code_site(at));
    }
    return 0;  // not reached
}

}  // namespace

}  // namespace ordeal

extern "C" {

long syscall(long number, ...) noexcept {
    ordeal::arguments given;
    std::va_list list;
    va_start(list, number);
    for (long& each : given) each = va_arg(list, long);
    va_end(list);
    ordeal::byte_memory* const port = ordeal::current();
    if (port != nullptr) {
        if (number == SYS_futex) return ordeal::futex(*port, ordeal::code_point_here("futex"), given);
        if (number == SYS_gettid) return ordeal::first_thread_id + port->thread();
        const ordeal::code_point at = ordeal::code_point_here("system call");
        if (const auto answer = ordeal::fixed_answers::system_call(*port, at, number, given)) return *answer;
    }
    return ordeal::real_syscall(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

pid_t gettid() noexcept {
    const ordeal::byte_memory* const port = ordeal::current();
    return static_cast<pid_t>(port == nullptr ? ordeal::real_syscall(static_cast<long>(SYS_gettid))
                                              : ordeal::first_thread_id + port->thread());
}

}  // extern "C"
