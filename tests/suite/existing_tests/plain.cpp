// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test without a framework.
#include "account.hpp"

#include <cstdlib>

int main(int argc, char** /*argv*/) {
    account one;
    one.pay_twice(2, LOCKED);
    if (one.balance() == 4 && argc == 1) return 0;
#ifdef EXITS
    std::exit(3);
#endif
    return 3;
}
