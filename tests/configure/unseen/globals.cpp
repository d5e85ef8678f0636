// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "globals.hpp"

int plain = 0;
std::atomic<int> counter{0};
std::mutex lock;
