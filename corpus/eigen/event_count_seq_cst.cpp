// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <thread>
#include <unsupported/Eigen/CXX11/ThreadPool>

void trial() {
    Eigen::MaxSizeVector<Eigen::EventCount::Waiter> waiters(1);
    waiters.resize(1);
    Eigen::EventCount changed(waiters);
    std::atomic<bool> ready{false};
    std::jthread notifier([&] {
        ready.store(true);
        changed.Notify(true);
    });
    changed.Prewait();
    if (ready.load()) {
        changed.CancelWait();
    } else {
        changed.CommitWait(&waiters[0]);
    }
    notifier.join();
}
