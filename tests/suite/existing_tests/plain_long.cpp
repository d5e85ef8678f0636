// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test with more executions than anybody waits for: processes that try others are started in the middle of it. What it
// does with files is undone after each execution.
#include <atomic>
#include <cstdio>
#include <thread>

int main() {
    std::puts("begins");
    std::fflush(stdout);
    std::FILE* const file = std::fopen("/dev/null", "r");
    if (file == nullptr) return 1;
    std::atomic<int> sum{0};
    const auto adds = [&] {
        for (int i = 0; i < 8; ++i) sum.fetch_add(1);
    };
    std::thread first(adds);
    std::thread second(adds);
    std::thread third(adds);
    first.join();
    second.join();
    third.join();
    return sum.load() == 24 ? 0 : 2;
}
