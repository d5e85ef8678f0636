// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found before libstdc++'s header of this name, which <bits/atomic_base.h> includes before anything else that matters
// here. clang instruments a weak compare-exchange like a strong one, by a function that returns the old value and so
// cannot fail spuriously. So std::atomic's weak ones call another function of ours. g++ has one of its own for them.
#ifndef ORDEAL_ATOMIC_LOCKFREE_DEFINES_H
#define ORDEAL_ATOMIC_LOCKFREE_DEFINES_H 1

#pragma GCC system_header

#include_next <bits/atomic_lockfree_defines.h>

#if defined __clang__ && !defined __atomic_compare_exchange_n

struct __ordeal_exchanged {
    unsigned long long __seen;
    unsigned long long __stored;
};
extern "C" __ordeal_exchanged __ordeal_compare_exchange_weak(volatile void* __object, __SIZE_TYPE__ __size,
                                                             unsigned long long __expected,
                                                             unsigned long long __desired, int __success,
                                                             int __failure);
extern "C" int __ordeal_compare_exchange_weak_in(volatile void* __object, __SIZE_TYPE__ __size, void* __expected,
                                                 unsigned long long __desired, int __success, int __failure);
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 __ordeal_word128;
extern "C" int __ordeal_compare_exchange_weak_16(volatile void* __object, __ordeal_word128* __expected,
                                                 __ordeal_word128 __desired, int __success, int __failure);
#endif

// No debug information: the operation's source location is that of the library's call.
template <class _Object, class _Expected, class _Desired>
__attribute__((__always_inline__, __nodebug__)) inline bool __ordeal_compare_exchange(_Object* __object,
                                                                                      _Expected* __expected,
                                                                                      _Desired* __desired, bool __weak,
                                                                                      int __success, int __failure) {
    constexpr __SIZE_TYPE__ __size = sizeof(_Object);
    if constexpr (__size == 1 || __size == 2 || __size == 4 || __size == 8) {
        if (__weak) {
            unsigned long long __desired_word = 0;
            __builtin_memcpy(&__desired_word, __desired, __size);
#ifdef __OPTIMIZE__
            unsigned long long __expected_word = 0;
            __builtin_memcpy(&__expected_word, __expected, __size);
            const __ordeal_exchanged __result =
                __ordeal_compare_exchange_weak(const_cast<void*>(static_cast<const volatile void*>(__object)), __size,
                                               __expected_word, __desired_word, __success, __failure);
            if (__result.__stored == 0) __builtin_memcpy(__expected, &__result.__seen, __size);
            return __result.__stored != 0;
#else
            // Copying here would be accesses of the code on trial, more of them after a failure than before.
            return __ordeal_compare_exchange_weak_in(const_cast<void*>(static_cast<const volatile void*>(__object)),
                                                     __size, __expected, __desired_word, __success, __failure) != 0;
#endif
        }
    }
#ifdef __SIZEOF_INT128__
    if constexpr (__size == sizeof(__ordeal_word128)) {
        if (__weak) {
            __ordeal_word128 __desired_word = 0;
            __builtin_memcpy(&__desired_word, __desired, __size);
            return __ordeal_compare_exchange_weak_16(
                       const_cast<void*>(static_cast<const volatile void*>(__object)),
                       static_cast<__ordeal_word128*>(const_cast<void*>(static_cast<const volatile void*>(__expected))),
                       __desired_word, __success, __failure) != 0;
        }
    }
#endif
    return __atomic_compare_exchange(__object, __expected, __desired, __weak, __success, __failure);
}

// Converts the value to store to the object's type, like the built-in function.
template <class _Object>
struct __ordeal_value_of {
    using __type = _Object;
};
template <class _Object>
struct __ordeal_value_of<volatile _Object> {
    using __type = _Object;
};

template <class _Object, class _Expected>
__attribute__((__always_inline__, __nodebug__)) inline bool __ordeal_compare_exchange_n(
    _Object* __object, _Expected* __expected, typename __ordeal_value_of<_Object>::__type __desired, bool __weak,
    int __success, int __failure) {
    return __ordeal_compare_exchange(__object, __expected, &__desired, __weak, __success, __failure);
}

#define __atomic_compare_exchange(...) __ordeal_compare_exchange(__VA_ARGS__)
#define __atomic_compare_exchange_n(...) __ordeal_compare_exchange_n(__VA_ARGS__)

#endif

#endif
