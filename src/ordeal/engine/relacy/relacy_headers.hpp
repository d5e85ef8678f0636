// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relacy, without its macros. For kernel.cpp and the headers that are part of it; must be included after all others.
#pragma once

#include <relacy/relacy.hpp>

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef VAR
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef $
