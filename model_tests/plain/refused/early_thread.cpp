// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that a global object starts: it is of the process, not of an execution.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct background {
    std::atomic<bool> stopped{false};
    std::jthread worker{[this] {
        while (!stopped.load()) std::this_thread::yield();
    }};

    ~background() { stopped.store(true); }
};

#ifdef ORDEAL_LEFT_RUNNING
background of_the_program;
#else
// It is over before main.
const bool joined = [] {
    background briefly;
    return true;
}();
#endif

}  // namespace

void trial() {
    std::atomic<int> count{0};
    std::jthread other([&] { ++count; });
    ++count;
    other.join();
    assert(count == 2);
}
