// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

// What the engine leaves on the stack of the code on trial comes to be a part of that code's state: a later call of the code's own
// has a frame there, with bytes that it never writes, and a loop in which those differ is not seen to come back. The numbers of
// events that an engine keeps differ in each iteration. So the runtime handles plain bytes, lives, blocks and limits on a
// stack of its own.
namespace ordeal {

/// Names of sites are read from debug information there, which takes 200 KB.
inline constexpr std::size_t runtime_stack_size = std::size_t{1} << 20;

namespace detail {

/// The end of the stack of the runtime: one for the process, for none of these calls is left and returned to.
/// Where one is left for good, as by a violation, the next one begins anew.
inline constinit std::uintptr_t runtime_stack_top = 0;

extern "C" {
/// Calls `function(context)` with the stack pointer below `top`, where the caller's is kept. Callers are found from there by frame
/// pointers and unwind tables.
void ordeal_on_stack(void* context, void (*function)(void*), std::uintptr_t top);
}

}  // namespace detail

/// Maps the stack, if there is none yet.
void make_runtime_stack();

/// A part of the runtime's stack, from there to its end.
[[nodiscard]] inline memory_range runtime_stack_from(std::uintptr_t address) noexcept {
    const std::uintptr_t size = detail::runtime_stack_top - address;
    return size < runtime_stack_size ? memory_range{address, size} : memory_range{};
}
/// While something runs there: how far the stack goes of the code on trial that has called it.
[[nodiscard]] inline std::uintptr_t stack_of_runtime_caller() noexcept {
    return *reinterpret_cast<const std::uintptr_t*>(detail::runtime_stack_top - sizeof(std::uintptr_t));
}

/// Calls `what` on the runtime's stack, and returns its result. A call from within another one stays where it is. `what`
/// must not suspend the calling thread, unless for good.
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

}  // namespace ordeal
