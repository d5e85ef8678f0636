// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's header, found after this one. It may be included again, with another NDEBUG.
#pragma GCC system_header
#include_next <assert.h>
#include <bits/ordeal_ndebug.h>
