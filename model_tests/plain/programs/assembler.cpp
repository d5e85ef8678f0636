// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembler that is a fence, as libraries wrote it before C++ had fences, and some still do because it is faster. Only
// clang's plugin replaces it.
#include "model_tests/plain/programs/programs.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ordeal::model_tests {

namespace {

#if defined(__clang__)

struct no_fence {
    static void fence() { asm volatile("" ::: "memory"); }
};
#if defined(__x86_64__)
struct full_fence {
    static void fence() { asm volatile("mfence" ::: "memory"); }
};
struct full_fence_by_intrinsic {
    static void fence() { _mm_mfence(); }
};
struct locked_on_own_variable {
    static void fence() {
        unsigned char none = 0;
        asm volatile("lock; notb %0" : "+m"(none) : : "memory");
    }
};
struct locked_at_stack_pointer {
    static void fence() { asm volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc"); }
};
#else
struct full_fence {
    static void fence() { asm volatile("dmb ish" ::: "memory"); }
};
struct acquire_fence {
    static void fence() { asm volatile("dmb ishld" ::: "memory"); }
};
#endif

template <class Fence>
struct one_sees_the_other {
    static constexpr std::array threads{"one", "other"};
    std::array<std::atomic<int>, 2> there{};
    std::array<bool, 2> alone{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        there[me].store(1, relaxed);
        Fence::fence();
        alone[me] = there[1 - me].load(relaxed) == 0;
    }
    void finish() const { require(!alone[0] || !alone[1]); }
};

ORDEAL_SCENARIO("programs/assembler_no_fence", wrong<one_sees_the_other<no_fence>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/assembler_fence", one_sees_the_other<full_fence>);
#if defined(__x86_64__)
ORDEAL_SCENARIO("programs/assembler_fence_by_intrinsic", one_sees_the_other<full_fence_by_intrinsic>);
ORDEAL_SCENARIO("programs/assembler_locked_on_own_variable", one_sees_the_other<locked_on_own_variable>);
ORDEAL_SCENARIO("programs/assembler_locked_at_stack_pointer", one_sees_the_other<locked_at_stack_pointer>);
#else
ORDEAL_SCENARIO("programs/assembler_acquire_fence",
                wrong<one_sees_the_other<acquire_fence>, violation_kind::failed_requirement>);
#endif

#endif

}  // namespace

}  // namespace ordeal::model_tests
