#ifndef ORDEAL_CXXCONFIG_H
#define ORDEAL_CXXCONFIG_H 1
#pragma GCC system_header
// The library checks preconditions of its own: of operator[], front(), operator*, orders of atomic operations.
#ifndef _GLIBCXX_ASSERTIONS
#define _GLIBCXX_ASSERTIONS 1
#endif
#include_next <bits/c++config.h>
#include <bits/ordeal_ndebug.h>
#include <bits/ordeal_preconditions.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#undef __glibcxx_assert
#define __glibcxx_assert(cond) \
    do { \
        if (!bool(cond)) { \
            if (__builtin_is_constant_evaluated()) __builtin_unreachable(); \
            __ordeal_precondition(0, "the library requires " #cond); \
        } \
    } while (false)
#endif
