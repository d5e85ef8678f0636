// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ordeal {

/// What a call returned, in the form in which it is compared with the specification and shown.
struct client_result {
    enum class kind : std::uint8_t {
        nothing,
        empty,
        boolean,
        number,
        pending,   ///< nothing yet: it still waits
        finished,  ///< it waited until finish() ended that
    };

    kind what = kind::nothing;
    std::int64_t number = 0;  ///< or 0 and 1 of a boolean

    friend auto operator<=>(const client_result&, const client_result&) = default;
};

namespace detail {

template <class T>
concept maybe_empty = requires(const T& value) {
    { value.has_value() } -> std::convertible_to<bool>;
    *value;
};

template <class T>
[[nodiscard]] client_result result_of(const T& value) {
    using enum client_result::kind;
    if constexpr (std::same_as<T, bool>) {
        return {boolean, value ? 1 : 0};
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        return {number, static_cast<std::int64_t>(value)};
    } else if constexpr (maybe_empty<T>) {
        return value.has_value() ? result_of(*value) : client_result{empty, 0};
    } else {
        static_assert(sizeof(T) == 0,
                      "ordeal: an operation of a client returns nothing, a bool, a number, or an optional one; wrap it "
                      "in a function that does");
        return {};
    }
}

}  // namespace detail

/// The calls of a client in one execution, those of its start first, in the partial order that happens-before makes of
/// them: a history, as in Herlihy and Wing, "Linearizability", TOPLAS 1990, with happens-before for the order of time.
/// What a requirement of a declaration of clients is given; valid while it is asked.
class call_history {
public:
    struct call {
        std::string_view operation;
        int argument = 0;  ///< or the number of the fresh value
        /// The number of the thread, from 0; calls of the start have that of the first.
        std::size_t thread = 0;
        bool of_start = false;
        client_result result;

        /// False: it still waits.
        [[nodiscard]] bool has_completed() const noexcept { return result.what != client_result::kind::pending; }
        /// Whether it has completed with this result: a bool, a number, or an optional one.
        template <class T>
        [[nodiscard]] bool returned(const T& value) const {
            return result == detail::result_of(value);
        }
    };

    /// `before` has a bit, by number, for each call that happens before this one.
    call_history(const call* first, std::size_t size, const std::uint32_t* before) noexcept
        : first_(first), size_(size), before_(before) {}

    [[nodiscard]] const call* begin() const noexcept { return first_; }
    [[nodiscard]] const call* end() const noexcept { return first_ + size_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] const call& operator[](std::size_t number) const noexcept { return first_[number]; }

    /// Whether one has completed before the other began. Both are calls of this history. Engine `graph` knows; under
    /// the others and on real threads calls of one thread alone are ordered, and those of a start.
    [[nodiscard]] bool happens_before(const call& earlier, const call& later) const noexcept {
        return (before_[&later - first_] >> (&earlier - first_) & 1U) != 0;
    }

private:
    const call* first_;
    std::size_t size_;
    const std::uint32_t* before_;
};

}  // namespace ordeal
