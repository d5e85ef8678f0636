// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

void trial() {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool ready = false;
    bool got = false;
    {
        std::jthread worker([&](std::stop_token stop) {
            std::unique_lock lock(mutex);
            got = changed.wait(lock, std::move(stop), [&] { return ready; });
        });
        {
            const std::lock_guard lock(mutex);
            ready = true;
        }
        changed.notify_one();
    }
    assert(got || ready);
}
