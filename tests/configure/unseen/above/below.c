// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <assert.h>

void increment_below(int* counter) {
    assert(counter);
    *counter += STEP;
}
