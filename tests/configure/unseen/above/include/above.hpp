// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(INSIDE) == defined(OUTSIDE)
#error "either this library or one who links it"
#endif

void increment_twice(int* counter);
