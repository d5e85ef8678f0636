// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found before libstdc++'s header of this name, and provides what the rest of that library uses from it. The original
// spins sixteen times and then counts waiters in a table: hundreds of operations on atomics that are not the user's.
// Here a wait is one load, which the model lets return once it reads another value; outside the model it is a loop.
//
// Only libstdc++ 12 is supported; other versions use their own header, which works but is explored as it is.
#include <bits/c++config.h>
#if !defined _GLIBCXX_RELEASE || _GLIBCXX_RELEASE != 12
#include_next <bits/atomic_wait.h>
#endif

#ifndef _GLIBCXX_ATOMIC_WAIT_H
#define _GLIBCXX_ATOMIC_WAIT_H 1

#pragma GCC system_header

// Included by the original, which users may rely on.
#include <bits/functexcept.h>
#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <bits/std_mutex.h>
#include <syscall.h>
#include <unistd.h>
#include <ext/numeric_traits.h>

#include <cerrno>
#include <climits>

#define __cpp_lib_atomic_wait 201907L

extern "C" {
int __ordeal_wait_begins(const volatile void* __object, unsigned long __old) noexcept;
int __ordeal_wait_begins_16(const volatile void* __object, const void* __old) noexcept;
void __ordeal_wait_ended() noexcept;
void __ordeal_wait_iteration_begins(void* __seen, const volatile void* __object) noexcept;
int __ordeal_wait_iteration_ended(const void* __seen, int __done) noexcept;
void __ordeal_notify(const volatile void* __object, unsigned long __size, int __all) noexcept;
void __ordeal_notify_address(const volatile void* __object, int __all) noexcept;
int __ordeal_comes_to_limit(long __distance) noexcept;
}

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

namespace __detail {

using __platform_wait_t = int;
constexpr size_t __platform_wait_alignment = 4;

inline void __thread_yield() noexcept { __gthread_yield(); }

inline void __thread_relax() noexcept {
#if defined __i386__ || defined __x86_64__
    __builtin_ia32_pause();
#endif
}

// Fails where the original makes some more tries; users may not rely on those.
template <class _Pred>
bool __atomic_spin(_Pred& __pred) noexcept {
    return __pred();
}

template <class _Tp>
bool __atomic_compare(const _Tp& __left, const _Tp& __right) {
    return __builtin_memcmp(&__left, &__right, sizeof(_Tp)) == 0;
}

// Storage for the load made by the condition of a wait.
struct __seen_by_iteration {
    unsigned long __words[4];
};

}  // namespace __detail

// Waits until the object holds another value than `__old`; `__load` is the user's load of it.
template <class _Tp, class _Load>
void __atomic_wait_address_v(const _Tp* __object, _Tp __old, _Load __load) noexcept {
    if constexpr (sizeof(_Tp) <= sizeof(unsigned long)) {
        unsigned long __word = 0;
        __builtin_memcpy(&__word, &__old, sizeof(_Tp));
        if (__ordeal_wait_begins(__object, __word) != 0) {
            (void)__load();
            return __ordeal_wait_ended();
        }
    } else if constexpr (sizeof(_Tp) == 2 * sizeof(unsigned long)) {
        if (__ordeal_wait_begins_16(__object, __builtin_addressof(__old)) != 0) {
            (void)__load();
            return __ordeal_wait_ended();
        }
    }
    while (__detail::__atomic_compare(__old, __load())) __detail::__thread_yield();
}

// Waits until the condition, which loads the object, holds.
template <class _Tp, class _Pred>
void __atomic_wait_address(const _Tp* __object, _Pred __pred) noexcept {
    __detail::__seen_by_iteration __seen;
    do {
        __ordeal_wait_iteration_begins(&__seen, __object);
    } while (__ordeal_wait_iteration_ended(&__seen, __pred()) == 0);
}

template <class _Pred>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __object, _Pred __pred) noexcept {
    std::__atomic_wait_address(__object, __pred);
}

template <class _Tp>
void __atomic_notify_address(const _Tp* __object, bool __all) noexcept {
    __ordeal_notify(__object, sizeof(_Tp), __all);
}

// The notification after a semaphore's release: std::stop_callback's destructor destroys one after acquiring it.
inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __object, bool __all) noexcept {
    __ordeal_notify_address(__object, __all);
}

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std _GLIBCXX_VISIBILITY(default)

#endif
