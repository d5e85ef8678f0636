// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <coroutine>
#include <exception>

namespace ordeal::coro {

/// The return type of a coroutine that nobody waits for: it starts at once, on the caller's thread, and frees its
/// own frame when it ends, on the thread that resumed it last. An exception that escapes it calls std::terminate.
struct detached {
    struct promise_type {
        detached get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }
    };
};

}  // namespace ordeal::coro

namespace ordeal {
using coro::detached;
}
