// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

// A callback may destroy its own stop_callback ([stopcallback.cons]).
void trial() {
    int calls = 0;
    std::stop_source source;
    std::optional<std::stop_callback<std::function<void()>>> callback;
    callback.emplace(source.get_token(), [&] {
        ++calls;
        callback.reset();
    });
    {
        std::jthread one([source]() mutable { source.request_stop(); });
        std::jthread other([source]() mutable { source.request_stop(); });
    }
    assert(calls == 1 && !callback);
}
