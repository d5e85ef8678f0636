// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <above.hpp>

extern "C" void increment_below(int* counter);

void increment_twice(int* counter) {
    increment_below(counter);
    increment_below(counter);
}
