// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each atomic operation with each allowed order, as a function of its own. Not part of any program: clang compiles this
// for every target, and write_tables reads the result. The names are the keys of the table.
//
// An operation returns the whole value that it read: of a compare-exchange the value that it compared, not whether it
// succeeded. The use of the result belongs to the caller, and is the same with every order.
//
// Unsigned, like state words. Values of one and two bytes are extended if the calling convention requires it.
// NOLINTBEGIN: the macros are the table
#define ORDEAL_LOAD(T, width, name, order) \
    extern "C" T load_##width##_##name(T* from) { return __atomic_load_n(from, order); }
#define ORDEAL_STORE(T, width, name, order) \
    extern "C" void store_##width##_##name(T* to, T value) { __atomic_store_n(to, value, order); }
#define ORDEAL_MODIFY(T, width, what, builtin, name, order) \
    extern "C" T what##_##width##_##name(T* at, T operand) { return builtin(at, operand, order); }
#define ORDEAL_COMPARE(T, width, what, weak, success_name, success, failure_name, failure) \
    extern "C" T what##_##width##_##success_name##_##failure_name(T* at, T expected, T desired) { \
        (void)__atomic_compare_exchange_n(at, &expected, desired, weak, success, failure); \
        return expected; \
    }

#define ORDEAL_MODIFY_EACH_ORDER(T, width, what, builtin) \
    ORDEAL_MODIFY(T, width, what, builtin, relaxed, __ATOMIC_RELAXED) \
    ORDEAL_MODIFY(T, width, what, builtin, acquire, __ATOMIC_ACQUIRE) \
    ORDEAL_MODIFY(T, width, what, builtin, release, __ATOMIC_RELEASE) \
    ORDEAL_MODIFY(T, width, what, builtin, acq_rel, __ATOMIC_ACQ_REL) \
    ORDEAL_MODIFY(T, width, what, builtin, seq_cst, __ATOMIC_SEQ_CST)

#define ORDEAL_COMPARE_EACH_FAILURE(T, width, what, weak, name, order) \
    ORDEAL_COMPARE(T, width, what, weak, name, order, relaxed, __ATOMIC_RELAXED) \
    ORDEAL_COMPARE(T, width, what, weak, name, order, acquire, __ATOMIC_ACQUIRE) \
    ORDEAL_COMPARE(T, width, what, weak, name, order, seq_cst, __ATOMIC_SEQ_CST)

#define ORDEAL_COMPARE_EACH_ORDER(T, width, what, weak) \
    ORDEAL_COMPARE_EACH_FAILURE(T, width, what, weak, relaxed, __ATOMIC_RELAXED) \
    ORDEAL_COMPARE_EACH_FAILURE(T, width, what, weak, acquire, __ATOMIC_ACQUIRE) \
    ORDEAL_COMPARE_EACH_FAILURE(T, width, what, weak, release, __ATOMIC_RELEASE) \
    ORDEAL_COMPARE_EACH_FAILURE(T, width, what, weak, acq_rel, __ATOMIC_ACQ_REL) \
    ORDEAL_COMPARE_EACH_FAILURE(T, width, what, weak, seq_cst, __ATOMIC_SEQ_CST)

#define ORDEAL_EACH_OPERATION(T, width) \
    ORDEAL_LOAD(T, width, relaxed, __ATOMIC_RELAXED) \
    ORDEAL_LOAD(T, width, acquire, __ATOMIC_ACQUIRE) \
    ORDEAL_LOAD(T, width, seq_cst, __ATOMIC_SEQ_CST) \
    ORDEAL_STORE(T, width, relaxed, __ATOMIC_RELAXED) \
    ORDEAL_STORE(T, width, release, __ATOMIC_RELEASE) \
    ORDEAL_STORE(T, width, seq_cst, __ATOMIC_SEQ_CST) \
    ORDEAL_MODIFY_EACH_ORDER(T, width, exchange, __atomic_exchange_n) \
    ORDEAL_MODIFY_EACH_ORDER(T, width, fetch_add, __atomic_fetch_add) \
    ORDEAL_MODIFY_EACH_ORDER(T, width, fetch_sub, __atomic_fetch_sub) \
    ORDEAL_MODIFY_EACH_ORDER(T, width, fetch_and, __atomic_fetch_and) \
    ORDEAL_MODIFY_EACH_ORDER(T, width, fetch_or, __atomic_fetch_or) \
    ORDEAL_MODIFY_EACH_ORDER(T, width, fetch_xor, __atomic_fetch_xor) \
    ORDEAL_COMPARE_EACH_ORDER(T, width, compare_exchange_weak, true) \
    ORDEAL_COMPARE_EACH_ORDER(T, width, compare_exchange_strong, false)

ORDEAL_EACH_OPERATION(unsigned char, 1)
ORDEAL_EACH_OPERATION(unsigned short, 2)
ORDEAL_EACH_OPERATION(unsigned int, 4)
ORDEAL_EACH_OPERATION(unsigned long, 8)

extern "C" void fence_relaxed() { __atomic_thread_fence(__ATOMIC_RELAXED); }
extern "C" void fence_acquire() { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
extern "C" void fence_release() { __atomic_thread_fence(__ATOMIC_RELEASE); }
extern "C" void fence_acq_rel() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
extern "C" void fence_seq_cst() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
// NOLINTEND
