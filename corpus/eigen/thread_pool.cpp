// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <unsupported/Eigen/CXX11/ThreadPool>

// One worker that does not spin.
void trial() {
    int done = 0;
    {
        Eigen::ThreadPoolTempl<Eigen::StlThreadEnvironment> pool(1, false);
        Eigen::Notification finished;
        pool.Schedule([&] {
            done = 1;
            finished.Notify();
        });
        finished.Wait();
        assert(done == 1);
    }
}
