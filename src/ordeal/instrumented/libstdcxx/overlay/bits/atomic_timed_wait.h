// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found before libstdc++'s header of this name, see <bits/atomic_wait.h>. The model has no time, so a time limit may be
// reached at any moment: a wait reads once, and a later change would be seen by a later wait.
#include <bits/c++config.h>
#if !defined _GLIBCXX_RELEASE || _GLIBCXX_RELEASE != 12
#include_next <bits/atomic_timed_wait.h>
#endif

#ifndef _GLIBCXX_ATOMIC_TIMED_WAIT_H
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1

#pragma GCC system_header

#include <bits/atomic_wait.h>
#include <bits/chrono.h>
#include <bits/functional_hash.h>
#include <bits/this_thread_sleep.h>
#include <sys/time.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

namespace __detail {

// For the model, a time limit more than about a hundred days ahead is never reached.
template <class _Rep, class _Period>
bool __is_far(const chrono::duration<_Rep, _Period>& __time) {
    return chrono::duration<double>(__time).count() > 1e7;
}

}  // namespace __detail

template <class _Tp, class _Pred, class _Clock, class _Duration>
bool __atomic_wait_address_until(const _Tp* __object, _Pred __pred,
                                 const chrono::time_point<_Clock, _Duration>& __limit) noexcept {
    while (!__pred()) {
        const auto __now = _Clock::now();
        if (__now >= __limit) return false;
        if (__detail::__is_far(__limit - __now)) {
            std::__atomic_wait_address(__object, __pred);
            return true;
        }
        const int __comes = __ordeal_comes_to_limit(chrono::ceil<chrono::nanoseconds>(__limit - __now).count());
        if (__comes == 1) return false;
        if (__comes == 2) return __pred();
        __detail::__thread_yield();
    }
    return true;
}

template <class _Tp, class _Pred, class _Rep, class _Period>
bool __atomic_wait_address_for(const _Tp* __object, _Pred __pred,
                               const chrono::duration<_Rep, _Period>& __limit) noexcept {
    if (__limit <= __limit.zero()) return __pred();
    if (__detail::__is_far(__limit)) {
        std::__atomic_wait_address(__object, __pred);
        return true;
    }
    const auto __steady_limit = chrono::ceil<chrono::steady_clock::duration>(__limit);
    return std::__atomic_wait_address_until(__object, __pred, chrono::steady_clock::now() + __steady_limit);
}

template <class _Pred, class _Clock, class _Duration>
bool __atomic_wait_address_until_bare(const __detail::__platform_wait_t* __object, _Pred __pred,
                                      const chrono::time_point<_Clock, _Duration>& __limit) noexcept {
    return std::__atomic_wait_address_until(__object, __pred, __limit);
}

template <class _Pred, class _Rep, class _Period>
bool __atomic_wait_address_for_bare(const __detail::__platform_wait_t* __object, _Pred __pred,
                                    const chrono::duration<_Rep, _Period>& __limit) noexcept {
    return std::__atomic_wait_address_for(__object, __pred, __limit);
}

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std _GLIBCXX_VISIBILITY(default)

#endif
