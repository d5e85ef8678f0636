/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What macros make names of: not of the line, for a user's macro may register several on one line. From version 22 on
 * clang calls the counter an extension.
 */
#pragma once

#include "ordeal/version.hpp"

#if defined(__clang__) && __clang_major__ >= 22
#define ORDEAL_COUNTER_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc2y-extensions\"")
#define ORDEAL_COUNTER_END _Pragma("clang diagnostic pop")
#else
#define ORDEAL_COUNTER_BEGIN
#define ORDEAL_COUNTER_END
#endif
