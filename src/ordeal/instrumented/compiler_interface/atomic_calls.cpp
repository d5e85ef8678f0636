// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's calls for atomic operations of 1 to 8 bytes, and for fences.
#include "ordeal/instrumented/compiler_interface/native_atomics.hpp"
#include "ordeal/instrumented/compiler_interface/trial_atomics.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::detail {

namespace {

// None of these is inlined: the function that the compiler calls must not touch the caller's registers until they have
// been recorded.

template <class T>
[[gnu::noinline]] T load(const call_origin& from, const volatile T* object, int order_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return native::load(object);
    return static_cast<T>(load_on_trial(*runtime, from, range_at(object, sizeof(T)), order_code));
}

template <class T>
[[gnu::noinline]] void store(const call_origin& from, volatile T* object, T value, int order_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return native::store(object, value);
    store_on_trial(*runtime, from, range_at(object, sizeof(T)), order_code, value);
}

template <class T>
[[gnu::noinline]] T modify(const call_origin& from, modification how, volatile T* object, T operand, int order_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return native::modify(object, how, operand);
    return static_cast<T>(modify_on_trial(*runtime, from, range_at(object, sizeof(T)), order_code, how, operand));
}

// clang's form: returns the old value, and the caller compares. So it cannot fail spuriously; for the weak one of
// std::atomic there is our <bits/atomic_lockfree_defines.h>.
template <class T>
[[gnu::noinline]] T compare_exchange(const call_origin& from, volatile T* object, T expected, T desired,
                                     int success_code, int failure_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) {
        (void)native::compare_exchange(object, expected, desired);
        return expected;
    }
    std::uint64_t seen = expected;
    (void)compare_exchange_on_trial(*runtime, from, range_at(object, sizeof(T)), success_code, failure_code, false,
                                    seen, desired);
    return static_cast<T>(seen);
}

// g++'s form. The expected value is an object of the user, and non-atomic accesses to it are part of the operation.
template <class T>
[[gnu::noinline]] bool compare_exchange(const call_origin& from, bool weak, volatile T* object, T* expected, T desired,
                                        int success_code, int failure_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return native::compare_exchange(object, *expected, desired);
    runtime->read_bytes(range_at(expected, sizeof(T)), from.at);
    std::uint64_t seen = *expected;
    const bool stored = compare_exchange_on_trial(*runtime, from, range_at(object, sizeof(T)), success_code,
                                                  failure_code, weak, seen, desired);
    if (stored) return true;
    runtime->write_bytes(range_at(expected, sizeof(T)), from.at);
    *expected = static_cast<T>(seen);
    return false;
}

[[gnu::noinline]] void fence(const call_origin& from, int order_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return std::atomic_thread_fence(std::memory_order_seq_cst);
    fence_on_trial(*runtime, from, order_code);
}

// The value read by a weak compare-exchange, and whether it stored: two registers.
struct exchanged {
    std::uint64_t seen;
    std::uint64_t stored;
};

[[gnu::noinline]] exchanged compare_exchange_weak(const call_origin& from, memory_range where, std::uint64_t expected,
                                                  std::uint64_t desired, int success_code, int failure_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    const bool stored =
        runtime == nullptr
            ? native::compare_exchange(where.size, reinterpret_cast<void*>(where.address), &expected, &desired)
            : compare_exchange_on_trial(*runtime, from, where, success_code, failure_code, true, expected, desired);
    return {expected, stored ? 1U : 0U};
}

[[gnu::noinline]] bool compare_exchange_weak_in(const call_origin& from, memory_range where, void* expected,
                                                std::uint64_t desired, int success_code, int failure_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->read_bytes(range_at(expected, where.size), from.at);
    std::uint64_t word = 0;
    std::memcpy(&word, expected, where.size);
    const exchanged result = compare_exchange_weak(from, where, word, desired, success_code, failure_code);
    if (result.stored != 0) return true;
    if (runtime != nullptr) runtime->write_bytes(range_at(expected, where.size), from.at);
    std::memcpy(expected, &result.seen, where.size);
    return false;
}

}  // namespace

// Names of the compiler.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ORDEAL_ATOMIC_FETCH(bits, name, how) \
    std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* object, \
                                                     std::uint##bits##_t operand, int order_code) { \
        const call_origin from = call_origin_here(#name); \
        return modify(from, modification::how, object, operand, order_code); \
    }

#define ORDEAL_ATOMIC_COMPARE_EXCHANGE(bits, name, weak) \
    int __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* object, std::uint##bits##_t* expected, \
                                     std::uint##bits##_t desired, int success_code, int failure_code) { \
        const call_origin from = call_origin_here(#name); \
        return compare_exchange(from, weak, object, expected, desired, success_code, failure_code) ? 1 : 0; \
    }

#define ORDEAL_ATOMIC_CALLS(bits) \
    std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* object, int order_code) { \
        const call_origin from = call_origin_here("load"); \
        return load(from, object, order_code); \
    } \
    void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* object, std::uint##bits##_t value, \
                                     int order_code) { \
        const call_origin from = call_origin_here("store"); \
        store(from, object, value, order_code); \
    } \
    ORDEAL_ATOMIC_FETCH(bits, exchange, exchange) \
    ORDEAL_ATOMIC_FETCH(bits, fetch_add, add) \
    ORDEAL_ATOMIC_FETCH(bits, fetch_sub, subtract) \
    ORDEAL_ATOMIC_FETCH(bits, fetch_and, bit_and) \
    ORDEAL_ATOMIC_FETCH(bits, fetch_or, bit_or) \
    ORDEAL_ATOMIC_FETCH(bits, fetch_xor, bit_xor) \
    ORDEAL_ATOMIC_FETCH(bits, fetch_nand, bit_nand) \
    ORDEAL_ATOMIC_COMPARE_EXCHANGE(bits, compare_exchange_strong, false) \
    ORDEAL_ATOMIC_COMPARE_EXCHANGE(bits, compare_exchange_weak, true) \
    std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val( \
        volatile std::uint##bits##_t* object, std::uint##bits##_t expected, std::uint##bits##_t desired, \
        int success_code, int failure_code) { \
        const call_origin from = call_origin_here("compare_exchange_strong"); \
        return compare_exchange(from, object, expected, desired, success_code, failure_code); \
    }

extern "C" {

ORDEAL_ATOMIC_CALLS(8)
ORDEAL_ATOMIC_CALLS(16)
ORDEAL_ATOMIC_CALLS(32)
ORDEAL_ATOMIC_CALLS(64)

/// For our <bits/atomic_lockfree_defines.h>: values are the low bytes of the words.
exchanged __ordeal_compare_exchange_weak(volatile void* object, std::size_t size, std::uint64_t expected,
                                         std::uint64_t desired, int success_code, int failure_code) {
    const call_origin from = call_origin_here("compare_exchange_weak");
    return compare_exchange_weak(from, range_at(object, size), expected, desired, success_code, failure_code);
}

/// The same in g++'s form: the expected value is read here, and the value found is written there.
int __ordeal_compare_exchange_weak_in(volatile void* object, std::size_t size, void* expected, std::uint64_t desired,
                                      int success_code, int failure_code) {
    const call_origin from = call_origin_here("compare_exchange_weak");
    return compare_exchange_weak_in(from, range_at(object, size), expected, desired, success_code, failure_code) ? 1
                                                                                                                 : 0;
}

void __tsan_atomic_thread_fence(int order_code) {
    const call_origin from = call_origin_here("fence");
    fence(from, order_code);
}

// Orders nothing between threads; the call itself keeps the compiler from moving anything across it.
void __tsan_atomic_signal_fence(int /*order_code*/) {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
