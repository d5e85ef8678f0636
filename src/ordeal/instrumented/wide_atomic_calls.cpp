// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic objects that the model does not have: 16 bytes, and those that compilers leave to libatomic. On trial they are
// refused by name. But where libatomic is asked for a size that the model has, it is one of its operations like any
// other.
#include "ordeal/instrumented/native_atomics.hpp"
#include "ordeal/instrumented/trial_atomics.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal {

namespace {

__extension__ using word128 = unsigned __int128;

// The port, for an operation that it can do; null where it is to be done natively.
byte_memory* port_for(std::size_t size, const code_point& at) {
    byte_memory* const port = current();
    if (port != nullptr && (!std::has_single_bit(size) || size > 8)) {
        const site_id site = plain_code_site(at);
        port->refuse(size == 16 ? "an atomic of 16 bytes" : "an atomic of more than 8 bytes, or of an odd size", site);
    }
    return port;
}

// Objects of the user's that a compiler passes by address; accesses to them are part of the operation.

std::uint64_t word_at(byte_memory& port, const void* value, std::size_t size, const code_point& at) {
    port.read_bytes(range_at(value, size), at);
    std::uint64_t word = 0;
    std::memcpy(&word, value, size);  // little endian: the low bytes
    return word;
}

void put_word(byte_memory& port, void* value, std::size_t size, std::uint64_t word, const code_point& at) {
    port.write_bytes(range_at(value, size), at);
    std::memcpy(value, &word, size);
}

// clang 19 asks for a load of an object that may be misaligned twice: it has called __tsan_atomic64_load before, and does
// not look at this one. No other compiler comes here with a size that the model has.
[[gnu::noinline]] void load(const code_point& at, std::size_t size, const volatile void* object, void* value) {
    (void)port_for(size, at);
    native::load(size, object, value);
}

[[gnu::noinline]] void store(const call_origin& from, std::size_t size, volatile void* object, const void* value,
                             int order_code) {
    byte_memory* const port = port_for(size, from.at);
    if (port == nullptr) return native::store(size, object, value);
    store_on_trial(*port, from, range_at(object, size), order_code, word_at(*port, value, size, from.at));
}

[[gnu::noinline]] void exchange(const call_origin& from, std::size_t size, volatile void* object, const void* value,
                                void* before, int order_code) {
    byte_memory* const port = port_for(size, from.at);
    if (port == nullptr) return native::exchange(size, object, value, before);
    const std::uint64_t word = modify_on_trial(*port, from, range_at(object, size), order_code, modification::exchange,
                                               word_at(*port, value, size, from.at));
    put_word(*port, before, size, word, from.at);
}

[[gnu::noinline]] bool compare_exchange(const call_origin& from, std::size_t size, volatile void* object,
                                        void* expected, const void* desired, int success_code, int failure_code) {
    byte_memory* const port = port_for(size, from.at);
    if (port == nullptr) return native::compare_exchange(size, object, expected, desired);
    std::uint64_t seen = word_at(*port, expected, size, from.at);
    const std::uint64_t wanted = word_at(*port, desired, size, from.at);
    const bool stored =
        compare_exchange_on_trial(*port, from, range_at(object, size), success_code, failure_code, false, seen, wanted);
    if (!stored) put_word(*port, expected, size, seen, from.at);
    return stored;
}

// Those of 16 bytes are never the model's.

word128 load_wide(const code_point& at, const volatile void* object) {
    (void)port_for(sizeof(word128), at);
    word128 value = 0;
    native::load(sizeof(value), object, &value);
    return value;
}

template <class Change>
word128 modify_wide(const code_point& at, volatile void* object, Change change) {
    word128 before = load_wide(at, object);
    word128 after = change(before);
    while (!native::compare_exchange(sizeof(before), object, &before, &after)) after = change(before);
    return before;
}

bool compare_exchange_wide(const code_point& at, volatile void* object, word128& expected, word128 desired) {
    (void)port_for(sizeof(word128), at);
    return native::compare_exchange(sizeof(word128), object, &expected, &desired);
}

}  // namespace

}  // namespace ordeal

// The names are the compiler's and the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ORDEAL_WIDE_FETCH(prefix, suffix, name, expression) \
    ordeal::word128 prefix##name##suffix(volatile void* object, ordeal::word128 operand, int /*order_code*/) { \
        return ordeal::modify_wide( \
            ordeal::code_point_here(#name), object, \
            [operand]([[maybe_unused]] ordeal::word128 before) -> ordeal::word128 { return expression; }); \
    }

#define ORDEAL_WIDE_CALLS(prefix, suffix) \
    ordeal::word128 prefix##load##suffix(const volatile void* object, int /*order_code*/) { \
        return ordeal::load_wide(ordeal::code_point_here("load"), object); \
    } \
    void prefix##store##suffix(volatile void* object, ordeal::word128 value, int /*order_code*/) { \
        (void)ordeal::modify_wide(ordeal::code_point_here("store"), object, \
                                  [value](ordeal::word128) { return value; }); \
    } \
    ORDEAL_WIDE_FETCH(prefix, suffix, exchange, operand) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_add, before + operand) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_sub, before - operand) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_and, before& operand) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_or, before | operand) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_xor, before ^ operand) \
    ORDEAL_WIDE_FETCH(prefix, suffix, fetch_nand, ~(before & operand))

extern "C" {

ORDEAL_WIDE_CALLS(__tsan_atomic128_, )
ORDEAL_WIDE_CALLS(__wrap___atomic_, _16)

int __tsan_atomic128_compare_exchange_strong(volatile void* object, ordeal::word128* expected, ordeal::word128 desired,
                                             int /*success_code*/, int /*failure_code*/) {
    return ordeal::compare_exchange_wide(ordeal::code_point_here("compare_exchange_strong"), object, *expected, desired)
               ? 1
               : 0;
}
int __tsan_atomic128_compare_exchange_weak(volatile void* object, ordeal::word128* expected, ordeal::word128 desired,
                                           int /*success_code*/, int /*failure_code*/) {
    return ordeal::compare_exchange_wide(ordeal::code_point_here("compare_exchange_weak"), object, *expected, desired)
               ? 1
               : 0;
}
ordeal::word128 __tsan_atomic128_compare_exchange_val(volatile void* object, ordeal::word128 expected,
                                                      ordeal::word128 desired, int /*success_code*/,
                                                      int /*failure_code*/) {
    (void)ordeal::compare_exchange_wide(ordeal::code_point_here("compare_exchange_strong"), object, expected, desired);
    return expected;
}
bool __wrap___atomic_compare_exchange_16(volatile void* object, ordeal::word128* expected, ordeal::word128 desired,
                                         int /*success_code*/, int /*failure_code*/) {
    return ordeal::compare_exchange_wide(ordeal::code_point_here("compare_exchange"), object, *expected, desired);
}

void __wrap___atomic_load(std::size_t size, const volatile void* object, void* value, int /*order_code*/) {
    ordeal::load(ordeal::code_point_here("load"), size, object, value);
}
void __wrap___atomic_store(std::size_t size, volatile void* object, const void* value, int order_code) {
    const ordeal::call_origin from = ordeal::call_origin_here("store");
    ordeal::store(from, size, object, value, order_code);
}
void __wrap___atomic_exchange(std::size_t size, volatile void* object, const void* value, void* before,
                              int order_code) {
    const ordeal::call_origin from = ordeal::call_origin_here("exchange");
    ordeal::exchange(from, size, object, value, before, order_code);
}
bool __wrap___atomic_compare_exchange(std::size_t size, volatile void* object, void* expected, const void* desired,
                                      int success_code, int failure_code) {
    const ordeal::call_origin from = ordeal::call_origin_here("compare_exchange_strong");
    return ordeal::compare_exchange(from, size, object, expected, desired, success_code, failure_code);
}
bool __wrap___atomic_is_lock_free(std::size_t size, const volatile void* object) {
    return ordeal::native::has_operations(size, object);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
