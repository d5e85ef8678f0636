// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic objects of 16 bytes, and those that compilers delegate to libatomic. Sizes supported by the model have
// operations like any other; other sizes are refused by name.
#include "ordeal/instrumented/compiler_interface/native_atomics.hpp"
#include "ordeal/instrumented/compiler_interface/trial_atomics.hpp"
#include "ordeal/runtime/word.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ordeal::detail {

namespace {

__extension__ using word128 = unsigned __int128;

// The runtime, for an operation that it supports; null if it is to be done natively.
instrumented_runtime* port_for(std::size_t size, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr && (!std::has_single_bit(size) || size > wide_size)) {
        runtime->refuse("an atomic of more than 16 bytes, or of an odd size", plain_code_site(at));
    }
    return runtime;
}

// Objects of the user that a compiler passes by address; accesses to them are part of the operation.

std::uint64_t word_at(instrumented_runtime& runtime, const void* value, std::size_t size, const code_location& at) {
    runtime.read_bytes(range_at(value, size), at);
    return word_in(value, size);
}

void put_word_at(instrumented_runtime& runtime, void* value, std::size_t size, std::uint64_t word,
                 const code_location& at) {
    runtime.write_bytes(range_at(value, size), at);
    put_word_in(value, size, word);
}

// clang 19 makes some loads twice: it calls one of ThreadSanitizer's functions first, and ignores the result of this
// second load. It does so for objects that may be misaligned, and for those of 16 bytes. Other compilers come here for
// no other size; a load of 16 bytes is the second one if the first was made a few instructions before.
struct made_load {
    std::uintptr_t object = 0;
    std::uintptr_t returns_to = 0;
};
// Nothing runs between the two loads.
constinit made_load last_wide_load{};

bool is_made_again(const call_origin& from, std::size_t size, const volatile void* object) noexcept {
    if (size != wide_size) return true;
    constexpr std::uintptr_t most_code_between = 128;
    const made_load last = std::exchange(last_wide_load, {});
    return last.object == range_at(object, size).address && from.at.address - last.returns_to < most_code_between;
}

[[gnu::noinline]] void load(const call_origin& from, std::size_t size, const volatile void* object, void* value,
                            int order_code) {
    instrumented_runtime* const runtime = port_for(size, from.at);
    if (runtime == nullptr || is_made_again(from, size, object)) return native::load(size, object, value);
    put_word_at(*runtime, value, size, load_on_trial(*runtime, from, range_at(object, size), order_code), from.at);
}

[[gnu::noinline]] void store(const call_origin& from, std::size_t size, volatile void* object, const void* value,
                             int order_code) {
    instrumented_runtime* const runtime = port_for(size, from.at);
    if (runtime == nullptr) return native::store(size, object, value);
    store_on_trial(*runtime, from, range_at(object, size), order_code, word_at(*runtime, value, size, from.at));
}

[[gnu::noinline]] void exchange(const call_origin& from, std::size_t size, volatile void* object, const void* value,
                                void* before, int order_code) {
    instrumented_runtime* const runtime = port_for(size, from.at);
    if (runtime == nullptr) return native::exchange(size, object, value, before);
    const std::uint64_t word = modify_on_trial(*runtime, from, range_at(object, size), order_code,
                                               modification::exchange, word_at(*runtime, value, size, from.at));
    put_word_at(*runtime, before, size, word, from.at);
}

[[gnu::noinline]] bool compare_exchange(const call_origin& from, std::size_t size, volatile void* object,
                                        void* expected, const void* desired, int success_code, int failure_code) {
    instrumented_runtime* const runtime = port_for(size, from.at);
    if (runtime == nullptr) return native::compare_exchange(size, object, expected, desired);
    std::uint64_t seen = word_at(*runtime, expected, size, from.at);
    const std::uint64_t wanted = word_at(*runtime, desired, size, from.at);
    const bool stored = compare_exchange_on_trial(*runtime, from, range_at(object, size), success_code, failure_code,
                                                  false, seen, wanted);
    if (!stored) put_word_at(*runtime, expected, size, seen, from.at);
    return stored;
}

// Operations of 16 bytes whose values are passed directly.

word128 value_of(std::uint64_t word) noexcept {
    word128 value = 0;
    put_word_in(&value, sizeof(value), word);
    return value;
}

std::uint64_t word_of(word128 value) noexcept { return word_in(&value, sizeof(value)); }

word128 native_load(const volatile void* object) noexcept {
    word128 value = 0;
    native::load(sizeof(value), object, &value);
    return value;
}

[[gnu::noinline]] word128 load_wide(const call_origin& from, const volatile void* object, int order_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return native_load(object);
    const word128 value = value_of(load_on_trial(*runtime, from, range_at(object, wide_size), order_code));
    last_wide_load = {range_at(object, wide_size).address, from.at.address};
    return value;
}

// libatomic's load.
[[gnu::noinline]] word128 load_wide_of_library(const call_origin& from, const volatile void* object, int order_code) {
    if (runtime_on_trial() != nullptr && is_made_again(from, wide_size, object)) return native_load(object);
    return load_wide(from, object, order_code);
}

[[gnu::noinline]] void store_wide(const call_origin& from, volatile void* object, word128 value, int order_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return native::store(sizeof(value), object, &value);
    store_on_trial(*runtime, from, range_at(object, wide_size), order_code, word_of(value));
}

[[gnu::noinline]] word128 modify_wide(const call_origin& from, modification how, volatile void* object, word128 operand,
                                      int order_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    const std::uint64_t word = word_of(operand);
    if (runtime != nullptr) {
        return value_of(modify_on_trial(*runtime, from, range_at(object, wide_size), order_code, how, word));
    }
    word128 before = native_load(object);
    for (;;) {
        const word128 after = value_of(changed_word(how, word_of(before), word, wide_size));
        if (native::compare_exchange(sizeof(before), object, &before, &after)) return before;
    }
}

// clang's form, where the caller compares the returned value.
[[gnu::noinline]] word128 compare_exchange_wide(const call_origin& from, volatile void* object, word128 expected,
                                                word128 desired, int success_code, int failure_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) {
        (void)native::compare_exchange(sizeof(word128), object, &expected, &desired);
        return expected;
    }
    std::uint64_t seen = word_of(expected);
    (void)compare_exchange_on_trial(*runtime, from, range_at(object, wide_size), success_code, failure_code, false,
                                    seen, word_of(desired));
    return value_of(seen);
}

// g++'s form. The expected value is an object of the user.
[[gnu::noinline]] bool compare_exchange_in(const call_origin& from, bool weak, volatile void* object, void* expected,
                                           word128 desired, int success_code, int failure_code) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return native::compare_exchange(sizeof(word128), object, expected, &desired);
    std::uint64_t seen = word_at(*runtime, expected, wide_size, from.at);
    const bool stored = compare_exchange_on_trial(*runtime, from, range_at(object, wide_size), success_code,
                                                  failure_code, weak, seen, word_of(desired));
    if (!stored) put_word_at(*runtime, expected, wide_size, seen, from.at);
    return stored;
}

}  // namespace

// Names of the compiler and the linker.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ORDEAL_WIDE_FETCH(prefix, suffix, name, how) \
    word128 prefix##name##suffix(volatile void* object, word128 operand, int order_code) { \
        const call_origin from = call_origin_here(#name); \
        return modify_wide(from, modification::how, object, operand, order_code); \
    }

#define ORDEAL_WIDE_CALLS(prefix, suffix) \
    void prefix##store##suffix(volatile void* object, word128 value, int order_code) { \
        const call_origin from = call_origin_here("store"); \
        store_wide(from, object, value, order_code); \
    } \
    ORDEAL_WIDE_FETCH(prefix, suffix, exchange, exchange) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_add, add) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_sub, subtract) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_and, bit_and) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_or, bit_or) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_xor, bit_xor) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_nand, bit_nand)

#define ORDEAL_WIDE_COMPARE_EXCHANGE(type, name, operation, weak) \
    type name(volatile void* object, word128* expected, word128 desired, int success_code, int failure_code) { \
        const call_origin from = call_origin_here(operation); \
        return static_cast<type>( \
            compare_exchange_in(from, weak, object, expected, desired, success_code, failure_code)); \
    }

extern "C" {

word128 __tsan_atomic128_load(const volatile void* object, int order_code) {
    const call_origin from = call_origin_here("load");
    return load_wide(from, object, order_code);
}
word128 __wrap___atomic_load_16(const volatile void* object, int order_code) {
    const call_origin from = call_origin_here("load");
    return load_wide_of_library(from, object, order_code);
}
ORDEAL_WIDE_CALLS(__tsan_atomic128_, )
ORDEAL_WIDE_CALLS(__wrap___atomic_, _16)

ORDEAL_WIDE_COMPARE_EXCHANGE(int, __tsan_atomic128_compare_exchange_strong, "compare_exchange_strong", false)
ORDEAL_WIDE_COMPARE_EXCHANGE(int, __tsan_atomic128_compare_exchange_weak, "compare_exchange_weak", true)
/// For our <bits/atomic_lockfree_defines.h>: clang's other functions are not told that a weak one was requested.
ORDEAL_WIDE_COMPARE_EXCHANGE(int, __ordeal_compare_exchange_weak_16, "compare_exchange_weak", true)
ORDEAL_WIDE_COMPARE_EXCHANGE(bool, __wrap___atomic_compare_exchange_16, "compare_exchange_strong", false)

word128 __tsan_atomic128_compare_exchange_val(volatile void* object, word128 expected, word128 desired,
                                              int success_code, int failure_code) {
    const call_origin from = call_origin_here("compare_exchange_strong");
    return compare_exchange_wide(from, object, expected, desired, success_code, failure_code);
}

void __wrap___atomic_load(std::size_t size, const volatile void* object, void* value, int order_code) {
    const call_origin from = call_origin_here("load");
    load(from, size, object, value, order_code);
}
void __wrap___atomic_store(std::size_t size, volatile void* object, const void* value, int order_code) {
    const call_origin from = call_origin_here("store");
    store(from, size, object, value, order_code);
}
void __wrap___atomic_exchange(std::size_t size, volatile void* object, const void* value, void* before,
                              int order_code) {
    const call_origin from = call_origin_here("exchange");
    exchange(from, size, object, value, before, order_code);
}
bool __wrap___atomic_compare_exchange(std::size_t size, volatile void* object, void* expected, const void* desired,
                                      int success_code, int failure_code) {
    const call_origin from = call_origin_here("compare_exchange_strong");
    return compare_exchange(from, size, object, expected, desired, success_code, failure_code);
}
bool __wrap___atomic_is_lock_free(std::size_t size, const volatile void* object) {
    return native::has_operations(size, object);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
