// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumented code calls, for a test: tells it of each operation and executes it. Part of the fixture's library, and
// not instrumented.
#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses,readability-identifier-naming): the compiler's names
struct exchanged {
    std::uint64_t seen;
    std::uint64_t stored;
};

extern "C" {

// The test's. `what` is 'p' for a plain access, else the first letter of load, store, exchange, modify, compare, fence.
void (*observe)(std::uintptr_t address, std::uintptr_t frame, char what, const char* operation, int order) = nullptr;

// Never the last thing that a function does: its frame must be there while the test looks at it.
#define ORDEAL_TELL(what, operation, order) \
    if (observe != nullptr) { \
        observe(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), \
                reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), what, operation, order); \
    } \
    asm volatile("")

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void*, std::size_t) {}
void __tsan_write_range(void*, std::size_t) {}
void* __tsan_memset(void* to, int value, std::size_t size) { return __builtin_memset(to, value, size); }
void* __tsan_memcpy(void* to, const void* from, std::size_t size) { return __builtin_memcpy(to, from, size); }
void* __tsan_memmove(void* to, const void* from, std::size_t size) { return __builtin_memmove(to, from, size); }

#define ORDEAL_PLAIN(size) \
    void __tsan_read##size(void*) {} \
    void __tsan_unaligned_read##size(void*) {} \
    void __tsan_unaligned_write##size(void*) {} \
    void __tsan_unaligned_read_write##size(void*) {} \
    void __tsan_read_write##size(void*) {} \
    void __tsan_write##size(void*) { ORDEAL_TELL('p', "write", 0); }
ORDEAL_PLAIN(1)
ORDEAL_PLAIN(2)
ORDEAL_PLAIN(4)
ORDEAL_PLAIN(8)
ORDEAL_PLAIN(16)

void __tsan_atomic_thread_fence(int order) { ORDEAL_TELL('f', "fence", order); }

#define ORDEAL_MODIFY(type, bits, name) \
    type __tsan_atomic##bits##_##name(volatile type* object, type value, int order) { \
        ORDEAL_TELL('m', #name, order); \
        return __atomic_##name(object, value, __ATOMIC_SEQ_CST); \
    }
#define ORDEAL_COMPARE(type, bits, name) \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type* object, type* expected, type value, int order, \
                                                      int) { \
        ORDEAL_TELL('c', "compare_exchange_" #name, order); \
        return __atomic_compare_exchange_n(object, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define ORDEAL_ATOMIC(type, bits) \
    type __tsan_atomic##bits##_load(const volatile type* object, int order) { \
        ORDEAL_TELL('l', "load", order); \
        return __atomic_load_n(object, __ATOMIC_SEQ_CST); \
    } \
    void __tsan_atomic##bits##_store(volatile type* object, type value, int order) { \
        ORDEAL_TELL('s', "store", order); \
        __atomic_store_n(object, value, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_exchange(volatile type* object, type value, int order) { \
        ORDEAL_TELL('e', "exchange", order); \
        return __atomic_exchange_n(object, value, __ATOMIC_SEQ_CST); \
    } \
    ORDEAL_MODIFY(type, bits, fetch_add) \
    ORDEAL_MODIFY(type, bits, fetch_sub) \
    ORDEAL_MODIFY(type, bits, fetch_and) \
    ORDEAL_MODIFY(type, bits, fetch_or) \
    ORDEAL_MODIFY(type, bits, fetch_xor) \
    ORDEAL_COMPARE(type, bits, strong) \
    ORDEAL_COMPARE(type, bits, weak) \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type* object, type expected, type value, int order, \
                                                    int) { \
        ORDEAL_TELL('c', "compare_exchange", order); \
        __atomic_compare_exchange_n(object, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected; \
    }
ORDEAL_ATOMIC(std::uint8_t, 8)
ORDEAL_ATOMIC(std::uint16_t, 16)
ORDEAL_ATOMIC(std::uint32_t, 32)
ORDEAL_ATOMIC(std::uint64_t, 64)

// Called where our <bits/atomic_lockfree_defines.h> is included; the fixture has such operations on 32 bits alone.
exchanged __ordeal_compare_exchange_weak(volatile void* object, std::size_t, std::uint64_t expected,
                                         std::uint64_t desired, int order, int) {
    ORDEAL_TELL('c', "compare_exchange_weak", order);
    auto seen = static_cast<std::uint32_t>(expected);
    const bool stored =
        __atomic_compare_exchange_n(static_cast<volatile std::uint32_t*>(object), &seen,
                                    static_cast<std::uint32_t>(desired), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return {seen, stored};
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses,readability-identifier-naming)
