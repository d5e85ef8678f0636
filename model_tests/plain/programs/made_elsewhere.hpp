// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class that another source makes, and who destroys it knows the declaration of its constructor alone.
#pragma once

#include <atomic>
#include <thread>

namespace ordeal::model_tests {

struct joining_thread {
    std::thread it;

    joining_thread() = default;
    joining_thread(const joining_thread&) = delete;
    joining_thread& operator=(const joining_thread&) = delete;
    ~joining_thread() { it.join(); }
};

struct made_elsewhere {
    joining_thread worker;
    std::atomic<int> used{0};

    made_elsewhere();
};

}  // namespace ordeal::model_tests
