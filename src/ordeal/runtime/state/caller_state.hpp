// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/state/fingerprint.hpp"
#include "ordeal/runtime/state/floating_point.hpp"

#include <array>
#include <cstdint>

namespace ordeal::detail {

/// The state from which the caller of an operation continues: its stack, the callee-saved registers, and the
/// floating-point environment. Two equal states on one thread, with equal memory, continue alike.
struct caller_state {
    std::uintptr_t frame = 0;  ///< of the operation: the caller's frame pointer, the return address, the caller's stack
    std::array<std::uint64_t, 19> registers{};  ///< the last is the floating-point environment

    /// Up to points in time, which are shifted back by the time that has passed.
    [[nodiscard]] std::uint64_t hash(std::uintptr_t top, std::int64_t passed = 0) const noexcept {
        const std::uint64_t stack = fingerprint_of_bytes(frame, top - frame, 0, passed);
        const auto saved = reinterpret_cast<std::uintptr_t>(registers.data());
        return fingerprint_of_bytes(saved, sizeof(registers), stack, passed);
    }

    /// Must be called first in a function that does nothing else but pass the state on: then the compiler has not used
    /// those registers yet.
    [[gnu::always_inline]] static caller_state here() noexcept {
        caller_state result;
        result.frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        std::uint64_t* const out = result.registers.data();
#if defined(__x86_64__)
        asm volatile(
            "movq %%rbx, (%0)\n\tmovq %%r12, 8(%0)\n\tmovq %%r13, 16(%0)\n\tmovq %%r14, 24(%0)\n\tmovq %%r15, 32(%0)"
            :
            : "r"(out)
            : "memory");
#elif defined(__aarch64__)
        asm volatile(
            "stp x19, x20, [%0]\n\tstp x21, x22, [%0, #16]\n\tstp x23, x24, [%0, #32]\n\tstp x25, x26, [%0, #48]\n\t"
            "stp x27, x28, [%0, #64]\n\tstp d8, d9, [%0, #80]\n\tstp d10, d11, [%0, #96]\n\tstp d12, d13, [%0, "
            "#112]\n\t"
            "stp d14, d15, [%0, #128]"
            :
            : "r"(out)
            : "memory");
#else
#error "ordeal: the callee-saved registers of this processor must be named here"
#endif
        result.registers.back() = floating_point::here().word();
        return result;
    }
};

}  // namespace ordeal::detail
