// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <memory>
#include <stop_token>
#include <thread>

// The destructor of a callback returns when the callback has run, or never will: what it uses may go then.
void trial() {
    std::stop_source source;
    auto calls = std::make_unique<int>(0);
    std::jthread stopper([source]() mutable { source.request_stop(); });
    {
        const std::stop_callback callback(source.get_token(), [&] { ++*calls; });
    }
    assert(*calls <= 1);
    calls.reset();
}
