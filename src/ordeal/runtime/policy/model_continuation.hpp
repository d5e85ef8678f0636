// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/coroutine_frames.hpp"

#include <compare>
#include <coroutine>
#include <cstddef>
#include <source_location>

namespace ordeal::detail {

/// std::coroutine_handle<> with every transfer between threads checked. Constructing one from a handle suspends the
/// coroutine: a write to its frame.
class model_continuation {
    using where = std::source_location;

public:
    constexpr model_continuation() noexcept = default;
    constexpr model_continuation(std::nullptr_t) noexcept {}  // NOLINT: implicit, as std::coroutine_handle
    template <class Promise>
    model_continuation(std::coroutine_handle<Promise> suspended,  // NOLINT: implicit, as std::coroutine_handle
                       const where& at = where::current())
        : frame_(suspended.address()) {
        if (frame_ != nullptr) frame_suspended(frame_, sites().plain_site(at, "suspend"));
    }

    /// Refers to an existing continuation; no access.
    [[nodiscard]] static constexpr model_continuation from_address(void* frame) noexcept {
        model_continuation result;
        result.frame_ = frame;
        return result;
    }
    [[nodiscard]] constexpr void* address() const noexcept { return frame_; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return frame_ != nullptr; }
    auto operator<=>(const model_continuation&) const = default;

    /// Reads the frame, which must be suspended.
    [[nodiscard]] bool done(const where& at = where::current()) const {
        frame_done_called(frame_, sites().plain_site(at, "done"));
        return std::coroutine_handle<>::from_address(frame_).done();
    }
    void resume(const where& at = where::current()) const {
        frame_resuming(frame_, sites().plain_site(at, "resume"));
        std::coroutine_handle<>::from_address(frame_).resume();
    }
    void operator()(const where& at = where::current()) const { resume(at); }
    void destroy(const where& at = where::current()) const {
        frame_destroying(frame_, sites().plain_site(at, "destroy"));
        std::coroutine_handle<>::from_address(frame_).destroy();
    }
    [[nodiscard]] std::coroutine_handle<> transfer(const where& at) const {
        frame_resuming(frame_, sites().plain_site(at, "transfer"));
        return std::coroutine_handle<>::from_address(frame_);
    }

private:
    void* frame_ = nullptr;
};

}  // namespace ordeal::detail
