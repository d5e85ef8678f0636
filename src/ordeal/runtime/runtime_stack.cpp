// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/runtime_stack.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#if defined(__x86_64__)
asm(R"(
    .text
    .p2align 4
    .globl ordeal_on_stack
    .type ordeal_on_stack, @function
ordeal_on_stack:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq %rdx, %rsp
    pushq %rbp
    pushq %rbp
    callq *%rsi
    movq %rbp, %rsp
    popq %rbp
    .cfi_def_cfa %rsp, 8
    retq
    .cfi_endproc
    .size ordeal_on_stack, . - ordeal_on_stack
)");
#elif defined(__aarch64__)
asm(R"(
    .text
    .p2align 4
    .globl ordeal_on_stack
    .type ordeal_on_stack, @function
ordeal_on_stack:
    .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov x29, sp
    .cfi_def_cfa_register x29
    mov sp, x2
    stp x29, x29, [sp, #-16]!
    blr x1
    mov sp, x29
    .cfi_def_cfa_register sp
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size ordeal_on_stack, . - ordeal_on_stack
)");
#else
#error "ordeal: a call on another stack must be written for this processor here"
#endif

namespace ordeal::detail {

void make_runtime_stack() {
    if (detail::runtime_stack_top != 0) return;
    constexpr std::size_t guard = std::size_t{64} << 10;
    // Below all stacks of the code on trial: debuggers expect a function's frame below that of its caller.
    constexpr std::uintptr_t base = 0x1f00'0000'0000;
    void* const got = ::mmap(reinterpret_cast<void*>(base), guard + runtime_stack_size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED || ::mprotect(got, guard, PROT_NONE) != 0) {
        throw std::system_error(errno, std::generic_category(), "no room for the stack of the engine");
    }
    detail::runtime_stack_top = reinterpret_cast<std::uintptr_t>(got) + guard + runtime_stack_size;
}

}  // namespace ordeal::detail
