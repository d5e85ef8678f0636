// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that was compiled elsewhere, with functions that take vectors of 32 bytes.
#include "model_tests/plain/refused/vector_library.hpp"

namespace ordeal::model_tests {

long sum_of(eight_numbers first, eight_numbers second) {
    long result = 0;
    for (int i = 0; i < 8; ++i) result += long{first[i]} * second[i];
    return result;
}

}  // namespace ordeal::model_tests
