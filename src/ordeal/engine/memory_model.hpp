// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ordeal::detail {

/// The memory model: the consistent executions and their happens-before. From `cpp20` on the weakest comes first: each
/// allows all executions of the next.
enum class memory_model : std::uint8_t {
    cpp20_letter,  ///< as cpp20, without what [atomics.order] excludes and RC11 does not
    cpp20,         ///< RC11 and load buffering, as far as promises are certified; Kang et al., POPL 2017
    rc11,          ///< C++ without load buffering, by Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
    tso,           ///< x86-64: stores wait in a buffer; Owens, Sarkar, Sewell, TPHOLs 2009
    sc,            ///< sequential consistency: interleavings
};

/// What most of the engine asks of a model; consistency.cpp has the axioms.
struct memory_model_traits {
    std::string_view id;
    std::string_view name;
    /// The orders of the operations decide what synchronises; otherwise every atomic operation synchronises with the
    /// write that it reads from.
    bool uses_memory_orders;
    bool has_load_buffering;
};

inline constexpr std::array<memory_model_traits, 5> memory_models{{
    {"cpp20-letter", "the letter of C++20", true, true},
    {"cpp20", "C++20", true, true},
    {"rc11", "RC11", true, false},
    {"tso", "TSO", false, false},
    {"sc", "sequential consistency", false, false},
}};
[[nodiscard]] constexpr const memory_model_traits& traits_of(memory_model value) noexcept {
    return memory_models[static_cast<std::size_t>(value)];
}

/// That of a search of which nothing else is asked, and of a token that names none.
inline constexpr memory_model default_memory_model = memory_model::cpp20;

[[nodiscard]] constexpr bool uses_memory_orders(memory_model value) noexcept {
    return traits_of(value).uses_memory_orders;
}
[[nodiscard]] constexpr bool has_load_buffering(memory_model value) noexcept {
    return traits_of(value).has_load_buffering;
}

[[nodiscard]] constexpr std::string_view to_string(memory_model value) noexcept { return traits_of(value).id; }
/// The words of `--model`.
[[nodiscard]] constexpr std::array<std::string_view, memory_models.size()> memory_model_ids() noexcept {
    std::array<std::string_view, memory_models.size()> ids;
    std::ranges::transform(memory_models, ids.begin(), &memory_model_traits::id);
    return ids;
}
[[nodiscard]] constexpr std::optional<memory_model> parse_memory_model(std::string_view text) noexcept {
    const auto found = std::ranges::find(memory_models, text, &memory_model_traits::id);
    if (found == memory_models.end()) return std::nullopt;
    return static_cast<memory_model>(found - memory_models.begin());
}
[[nodiscard]] constexpr std::string_view name_of(memory_model value) noexcept { return traits_of(value).name; }

/// The memory models in which a violation exists.
struct models_of_violation {
    memory_model strongest = memory_model::rc11;  ///< some execution of it shows a violation of this kind
    bool excluded = false;   ///< from the next stronger one: all its executions were explored, and none shows it
    bool cut_short = false;  ///< a search of the next stronger one was ended before all its executions were explored
    bool by_letter = true;   ///< [atomics.order] allows the execution shown

    bool operator==(const models_of_violation&) const = default;
};

}  // namespace ordeal::detail
