// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <unsupported/Eigen/CXX11/ThreadPool>

void trial() {
    Eigen::Barrier done(2);
    int first = 0;
    int second = 0;
    std::jthread one([&] {
        first = 1;
        done.Notify();
    });
    std::jthread other([&] {
        second = 1;
        done.Notify();
    });
    done.Wait();
    assert(first == 1 && second == 1);
}
