// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of thousands of iterations, of which nobody can tell which come to an end.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>

namespace ordeal::model_tests {

namespace {

struct looks_in_vain {
    static constexpr auto threads = std::array{"looks", "counts"};
    std::atomic<bool> flag{false};
    int iterations = 0;

    bool once() {
        ++iterations;
        return flag.load();
    }
};

struct never_ends : looks_in_vain {
    void run(int thread) {
        if (thread == 0) return require(!flag.load());
        while (!once()) {
        }
    }
};

struct gives_up : looks_in_vain {
    void run(int thread) {
        if (thread == 0) return flag.store(true);
        while (!once() && iterations < 11'000) {
        }
    }
};

ORDEAL_SCENARIO("long/never_ends", never_ends);
ORDEAL_SCENARIO("long/gives_up", gives_up);

}  // namespace

}  // namespace ordeal::model_tests
