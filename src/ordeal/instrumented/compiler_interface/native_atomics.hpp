// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// Atomic operations of instrumented code that is not on trial: static constructors, other threads. All are
/// sequentially consistent, which is never weaker than what was asked for.
namespace ordeal::detail::native {

template <class T>
[[nodiscard]] T load(const volatile T* object) noexcept {
    return __atomic_load_n(object, __ATOMIC_SEQ_CST);
}

template <class T>
void store(volatile T* object, T value) noexcept {
    __atomic_store_n(object, value, __ATOMIC_SEQ_CST);
}

template <class T>
T modify(volatile T* object, modification how, T operand) noexcept {
    switch (how) {
        case modification::exchange: break;
        case modification::add: return __atomic_fetch_add(object, operand, __ATOMIC_SEQ_CST);
        case modification::subtract: return __atomic_fetch_sub(object, operand, __ATOMIC_SEQ_CST);
        case modification::bit_and: return __atomic_fetch_and(object, operand, __ATOMIC_SEQ_CST);
        case modification::bit_or: return __atomic_fetch_or(object, operand, __ATOMIC_SEQ_CST);
        case modification::bit_xor: return __atomic_fetch_xor(object, operand, __ATOMIC_SEQ_CST);
        case modification::bit_nand: return __atomic_fetch_nand(object, operand, __ATOMIC_SEQ_CST);
    }
    return __atomic_exchange_n(object, operand, __ATOMIC_SEQ_CST);
}

template <class T>
[[nodiscard]] bool compare_exchange(volatile T* object, T& expected, T desired) noexcept {
    return __atomic_compare_exchange_n(object, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/// Whether the processor's atomic operations are used: not for 16 bytes, which it may lack.
[[nodiscard]] inline bool has_operations(std::size_t size, const volatile void* object) noexcept {
    return std::has_single_bit(size) && size <= 8 && (reinterpret_cast<std::uintptr_t>(object) & (size - 1)) == 0;
}

/// Calls `use` with a value of the unsigned type of 1, 2, 4 or 8 bytes.
template <class Use>
auto with_type_of(std::size_t size, Use use) {
    switch (size) {
        case 1: return use(std::uint8_t{});
        case 2: return use(std::uint16_t{});
        case 4: return use(std::uint32_t{});
        default: return use(std::uint64_t{});
    }
}

/// One lock for all objects without atomic operations of the processor.
class big_object_lock {
public:
    big_object_lock() noexcept {
        while (busy.exchange(true)) {
        }
    }
    ~big_object_lock() { busy.store(false); }
    big_object_lock(const big_object_lock&) = delete;
    big_object_lock& operator=(const big_object_lock&) = delete;

private:
    static inline std::atomic<bool> busy;
};

/// Replaces the bytes of an object of any size if they are as expected, else copies them to `expected`.
[[nodiscard]] inline bool compare_exchange(std::size_t size, volatile void* object, void* expected,
                                           const void* desired) noexcept {
    if (has_operations(size, object)) {
        return with_type_of(size, [&]<class T>(T wanted) {
            T seen = 0;
            std::memcpy(&seen, expected, sizeof(T));
            std::memcpy(&wanted, desired, sizeof(T));
            const bool stored = compare_exchange(static_cast<volatile T*>(object), seen, wanted);
            if (!stored) std::memcpy(expected, &seen, sizeof(T));
            return stored;
        });
    }
    const big_object_lock lock;
    void* const plain = const_cast<void*>(object);
    const bool equal = std::memcmp(plain, expected, size) == 0;
    std::memcpy(equal ? plain : expected, equal ? desired : plain, size);
    return equal;
}

inline void load(std::size_t size, const volatile void* object, void* value) noexcept {
    if (has_operations(size, object)) {
        return with_type_of(size, [&]<class T>(T seen) {
            seen = load(static_cast<const volatile T*>(object));
            std::memcpy(value, &seen, sizeof(T));
        });
    }
    const big_object_lock lock;
    std::memcpy(value, const_cast<const void*>(object), size);
}

inline void store(std::size_t size, volatile void* object, const void* value) noexcept {
    if (has_operations(size, object)) {
        return with_type_of(size, [&]<class T>(T wanted) {
            std::memcpy(&wanted, value, sizeof(T));
            store(static_cast<volatile T*>(object), wanted);
        });
    }
    const big_object_lock lock;
    std::memcpy(const_cast<void*>(object), value, size);
}

/// `before` becomes the old value.
inline void exchange(std::size_t size, volatile void* object, const void* value, void* before) noexcept {
    load(size, object, before);
    while (!compare_exchange(size, object, before, value)) {
    }
}

}  // namespace ordeal::detail::native
