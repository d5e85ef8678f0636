// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Whether `text` matches: '*' stands for any characters, '/' among them, '?' for one.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text) noexcept;

/// How many characters must be inserted, removed, replaced or exchanged with their neighbour to make one of the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, the first of several; empty when there are none.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// The one of these that may have been meant: at most a third of the word is wrong. Empty where none is so near.
[[nodiscard]] std::string similar(std::string_view word, std::span<const std::string> candidates);

/// Whether a pattern is this scenario's name, as it stands or behind a '='.
[[nodiscard]] bool is_name_of(std::string_view pattern, const scenario& what) noexcept;

/// Whether a pattern means this scenario: '=' and its name, which no other one has; a glob over its name, its name, its
/// subject, or the first segments of its name ("event" for "event/initially_set").
[[nodiscard]] bool selects(std::string_view pattern, const scenario& what);

struct selection {
    std::vector<const scenario*> chosen;  ///< in the order of `all`
    std::optional<std::string> unknown;   ///< a pattern that selects nothing
};

/// The scenarios that some pattern means; all of them when there is no pattern.
[[nodiscard]] selection select(std::span<const scenario> all, std::span<const std::string> patterns);

/// What somebody may have meant by `word`.
[[nodiscard]] std::string nearest_scenario(std::span<const scenario> all, std::string_view word);

/// The first name that two scenarios have, if any.
[[nodiscard]] std::optional<std::string> duplicate_name(std::span<const scenario> all);

}  // namespace ordeal::detail
