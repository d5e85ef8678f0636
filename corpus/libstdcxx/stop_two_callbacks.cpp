// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <stop_token>
#include <thread>

// One callback is removed while the other one may be running.
void trial() {
    int kept_calls = 0;
    int removed_calls = 0;
    std::stop_source source;
    const std::stop_callback kept(source.get_token(), [&] { ++kept_calls; });
    std::jthread stopper([source]() mutable { source.request_stop(); });
    {
        const std::stop_callback removed(source.get_token(), [&] { ++removed_calls; });
    }
    assert(removed_calls <= 1);
    stopper.join();
    assert(kept_calls == 1);
}
