// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

// What the engine leaves on the stack of the code on trial would become part of that code's state: a later call has a
// frame there with bytes that it never writes, and a loop in which those differ is not recognised as returning to the
// same state. An engine's event numbers differ in each iteration. So the runtime handles non-atomic bytes, lifetimes,
// blocks and limits on a stack of its own.
namespace ordeal::detail {

/// Site names are read from debug information on it, which takes 200 KB.
inline constexpr std::size_t runtime_stack_size = std::size_t{1} << 20;

/// The top of the runtime's stack: one for the process, as none of these calls is suspended and resumed. If one is
/// abandoned, as by a violation, the next one begins at the top again.
inline constinit std::uintptr_t runtime_stack_top = 0;

extern "C" {
/// Calls `function(context)` with the stack pointer below `top`, where the caller's is stored. Frame pointers and
/// unwind tables lead from there to the callers.
void ordeal_on_stack(void* context, void (*function)(void*), std::uintptr_t top);
}

/// Maps the stack if it does not exist yet.
void make_runtime_stack();

/// The part of the runtime's stack from this address to its top.
[[nodiscard]] inline memory_range runtime_stack_from(std::uintptr_t address) noexcept {
    const std::uintptr_t size = detail::runtime_stack_top - address;
    return size < runtime_stack_size ? memory_range{address, size} : memory_range{};
}
/// During a call on it: the stack pointer of the code on trial that made the call.
[[nodiscard]] inline std::uintptr_t stack_of_runtime_caller() noexcept {
    return *reinterpret_cast<const std::uintptr_t*>(detail::runtime_stack_top - sizeof(std::uintptr_t));
}

/// Calls `what` on the runtime's stack and returns its result. Nested calls stay where they are. `what` must not
/// suspend the calling thread, except for good.
template <class Call>
[[gnu::always_inline]] inline auto on_runtime_stack(Call what) {
    using result = decltype(what());
    if (runtime_stack_from(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))).size != 0) [[unlikely]]
        return what();
    if constexpr (std::is_void_v<result>) {
        detail::ordeal_on_stack(
            &what, [](void* context) { (*static_cast<Call*>(context))(); }, detail::runtime_stack_top);
    } else {
        result got;
        auto call = [&] { got = what(); };
        detail::ordeal_on_stack(
            &call, [](void* context) { (*static_cast<decltype(call)*>(context))(); }, detail::runtime_stack_top);
        return got;
    }
}

}  // namespace ordeal::detail
