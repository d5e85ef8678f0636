// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found before libstdc++'s header of this name, see <bits/atomic_wait.h>. The model has no time: a wait with a limit that
// would really have to wait is refused, and what does not have to wait is done.
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

template <class _Tp, class _Pred, class _Clock, class _Duration>
bool __atomic_wait_address_until(const _Tp*, _Pred __pred,
                                 const chrono::time_point<_Clock, _Duration>& __limit) noexcept {
    while (!__pred()) {
        __ordeal_timed_wait();
        if (_Clock::now() >= __limit) return false;
        __detail::__thread_yield();
    }
    return true;
}

template <class _Tp, class _Pred, class _Rep, class _Period>
bool __atomic_wait_address_for(const _Tp* __object, _Pred __pred,
                               const chrono::duration<_Rep, _Period>& __limit) noexcept {
    if (__pred()) return true;
    __ordeal_timed_wait();
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
