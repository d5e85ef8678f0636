// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_interface.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/word.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>
#include <type_traits>

namespace ordeal::detail {

/// The memory of an atomic object of the model and its operations, with their names in reports. The value lives in the
/// engine; the object is its address.
template <class T>
class model_word {
    static_assert(std::is_trivially_copyable_v<T>,
                  "ordeal: an atomic's type must be trivially copyable, as std::atomic requires");
    static_assert(std::is_same_v<T, std::remove_cv_t<T>>,
                  "ordeal: an atomic's type must be neither const nor volatile, as std::atomic requires");
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == wide_size,
                  "ordeal: the model handles atomics of 1, 2, 4, 8 or 16 bytes");

public:
    using where = std::source_location;

    model_word(T initial, const where& at) noexcept {
        current_runtime().begin_life(range(), object_kind::atomic, encode(initial),
                                     sites().plain_site(at, "construct"));
    }
    ~model_word() { current_runtime().end_life(range(), no_site); }
    model_word(const model_word&) = delete;
    model_word& operator=(const model_word&) = delete;

    [[nodiscard]] T load(std::string_view operation, std::memory_order order, const where& at) const noexcept {
        return decode(current_runtime().load(access(role::load, operation, order, at)));
    }
    void store(std::string_view operation, T value, std::memory_order order, const where& at) noexcept {
        current_runtime().store(access(role::store, operation, order, at), encode(value));
    }
    [[nodiscard]] T exchange(std::string_view operation, T value, std::memory_order order, const where& at) noexcept {
        return decode(current_runtime().modify(access(role::exchange, operation, order, at), modification::exchange,
                                               encode(value)));
    }
    [[nodiscard]] T fetch(std::string_view operation, modification how, std::uint64_t operand, std::memory_order order,
                          const where& at) noexcept {
        return decode(current_runtime().modify(access(role::fetch, operation, order, at), how, operand));
    }
    [[nodiscard]] bool compare_exchange(std::string_view operation, bool weak, T& expected, T desired,
                                        std::memory_order success, std::memory_order failure,
                                        const where& at) noexcept {
        require_no_padding();
        const site_id failure_site = checked_site(role::failure, operation, failure, at);
        std::uint64_t seen = encode(expected);
        const bool stored = current_runtime().compare_exchange(access(role::success, operation, success, at),
                                                               sites().effective(failure_site), failure_site, weak,
                                                               seen, encode(desired));
        if (!stored) expected = decode(seen);
        return stored;
    }
    void wait(T old, std::memory_order order, const where& at) const noexcept {
        require_no_padding();
        current_runtime().wait(access(role::load, "wait", order, at), encode(old));
    }
    void notify(bool all, const where& at) noexcept {
        current_runtime().notify(range(), all, sites().plain_site(at, all ? "notify_all" : "notify_one"));
    }

    [[nodiscard]] static std::uint64_t encode(const T& value) noexcept { return word_in(&value, sizeof(T)); }

private:
    [[nodiscard]] memory_range range() const noexcept { return {reinterpret_cast<std::uintptr_t>(this), sizeof(T)}; }

    // std::atomic does not compare padding bytes; the model compares words.
    static void require_no_padding() noexcept {
        static_assert(
            std::has_unique_object_representations_v<T> || (std::is_floating_point_v<T> && sizeof(T) <= sizeof(double)),
            "ordeal: the model compares all bytes of an atomic, and this type may have bytes without a "
            "value: padding, or members of floating-point type");
    }
    [[nodiscard]] static site_id checked_site(role what, std::string_view operation, std::memory_order declared,
                                              const where& at) noexcept {
        const site_id id = sites().atomic_site(at, what, operation, from_std(declared));
        if (!allowed(what, sites().effective(id))) {
            current_runtime().fail(violation_kind::failed_requirement, "a memory order that this operation cannot have",
                                   id);
        }
        return id;
    }
    [[nodiscard]] atomic_access access(role what, std::string_view operation, std::memory_order declared,
                                       const where& at) const noexcept {
        const site_id id = checked_site(what, operation, declared, at);
        return {range(), sites().effective(id), id};
    }
    [[nodiscard]] static T decode(std::uint64_t word) noexcept {
        T value;
        put_word_in(&value, sizeof(T), word);
        return value;
    }

    alignas(sizeof(T)) std::byte storage_[sizeof(T)];
};

}  // namespace ordeal::detail
