// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <mutex>

extern int plain;
extern std::atomic<int> counter;
extern std::mutex lock;
