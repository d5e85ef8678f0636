// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <above.hpp>

#include <thread>

void trial() {
    int counter = 0;
    std::thread other([&] { increment_twice(&counter); });
    increment_twice(&counter);
    other.join();
}
