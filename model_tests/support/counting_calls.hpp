// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>

#if defined(__x86_64__)

namespace ordeal::model_tests {

/// A call that returns an int, for count_calls().
struct counted_call {
    const void* function;
    const void* first;
    const void* second;
    const void* third;
};

/// Makes the call until it returns another number than the one given, at most twice, and returns how often it did not. That count
/// is nowhere but in one register, which calls keep: the one of this name.
#define ORDEAL_COUNTS_IN(counter, call) \
    [[gnu::naked, gnu::noinline]] inline long counts_in_##counter(const counted_call&, long) { \
        asm("push %" #counter "\n\tpush %" #call "\n\tpush %rbp\n\tmov %rdi, %" #call \
            "\n\tmov %rsi, %rbp\n\txor %" #counter ", %" #counter "\n1:\n\tmov 8(%" #call "), %rdi\n\tmov 16(%" #call \
            "), %rsi\n\tmov 24(%" #call "), %rdx\n\tcall *(%" #call ")\n\tcmp %eax, %ebp\n\tjne 2f\n\tinc %" #counter \
            "\n\tcmp $2, %" #counter "\n\tjne 1b\n2:\n\tmov %" #counter ", %rax\n\tpop %rbp\n\tpop %" #call \
            "\n\tpop %" #counter "\n\tret"); \
    }
ORDEAL_COUNTS_IN(rbx, r12)
ORDEAL_COUNTS_IN(r12, rbx)
ORDEAL_COUNTS_IN(r13, rbx)
ORDEAL_COUNTS_IN(r14, rbx)
ORDEAL_COUNTS_IN(r15, rbx)
#undef ORDEAL_COUNTS_IN

using counting_calls = long (*)(const counted_call&, long);
inline constexpr std::array<counting_calls, 5> count_calls{counts_in_rbx, counts_in_r12, counts_in_r13, counts_in_r14,
                                                           counts_in_r15};

}  // namespace ordeal::model_tests

#endif
