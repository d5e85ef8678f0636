// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ordeal {

/// A memory order ([atomics.order]); consume is treated as acquire, as compilers do.
enum class order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };

/// What one atomic site does. A compare-exchange is two sites: its success and its failure.
enum class role : std::uint8_t { load, store, exchange, fetch, success, failure, fence };

[[nodiscard]] order from_std(std::memory_order value) noexcept;

[[nodiscard]] std::string_view to_string(order value) noexcept;
/// "a release", "an acquire".
[[nodiscard]] std::string_view with_article(order value) noexcept;
[[nodiscard]] std::string_view to_string(role value) noexcept;
[[nodiscard]] std::optional<order> parse_order(std::string_view text) noexcept;
[[nodiscard]] std::optional<role> parse_role(std::string_view text) noexcept;

/// Whether the standard allows `value` for such an operation (a load cannot release, a store cannot acquire).
[[nodiscard]] bool allowed(role what, order value) noexcept;

/// Whether `strong` gives every guarantee of `weak`, but not the reverse: relaxed < acquire, release < acq_rel <
/// seq_cst. Acquire and release are not comparable.
[[nodiscard]] bool weaker(order weak, order strong) noexcept;

/// The orders allowed for `what` that are weaker (or stronger) than `declared`, weakest first.
[[nodiscard]] std::span<const order> weaker_orders(role what, order declared) noexcept;
[[nodiscard]] std::span<const order> stronger_orders(role what, order declared) noexcept;

[[nodiscard]] constexpr bool acquires(order value) noexcept {
    return value == order::acquire || value == order::acq_rel || value == order::seq_cst;
}
[[nodiscard]] constexpr bool releases(order value) noexcept {
    return value == order::release || value == order::acq_rel || value == order::seq_cst;
}

}  // namespace ordeal
