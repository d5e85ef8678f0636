// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// "12,345"
[[nodiscard]] std::string with_commas(std::uint64_t number);

/// What a limit does to a verdict.
enum class limit_effect : std::uint8_t {
    assumes,  ///< an assumption of the model, of which every execution was explored: *held* stays *held*
    general,  ///< applies to every search by an engine, so it explains no difference from another one
    bounds,   ///< the search left executions out, on request or because it reached a bound of its own
    hides,    ///< the engine's model leaves executions out
    adds,     ///< the engine has executions that the memory model forbids, or that no fair scheduler makes
    unseen,   ///< something that the code does was not checked: executions may be missing, others may not exist
};

[[nodiscard]] std::string_view to_string(limit_effect value) noexcept;  ///< "general", "bounds", ...
[[nodiscard]] std::optional<limit_effect> parse_limit_effect(std::string_view text) noexcept;

/// What a verdict rests on, or leaves out.
struct limit {
    limit() = default;
    limit(std::string name, std::string words, limit_effect does, std::map<std::string, std::string> values = {})
        : id(std::move(name)), sentence(std::move(words)), effect(does), parameters(std::move(values)) {}
    /// A bound of the search without a name of its own.
    template <class Words>
        requires std::is_convertible_v<Words, std::string> && (!std::is_same_v<std::remove_cvref_t<Words>, limit>)
    limit(Words&& words) : sentence(std::forward<Words>(words)) {}  // NOLINT: implicit, it is its sentence

    std::string id = "bound";  ///< "stale-reads"; stable when the sentence is reworded
    std::string sentence;
    limit_effect effect = limit_effect::bounds;
    std::map<std::string, std::string> parameters;  ///< the numbers and names in the sentence: {"most", "8"}

    bool operator==(const limit&) const = default;
};

/// Whether an execution that the search showed may not exist, so that a violation rests on it.
[[nodiscard]] constexpr bool may_raise_false_alarms(const limit& named) noexcept {
    return named.effect == limit_effect::adds || named.effect == limit_effect::unseen;
}

/// Whether executions that the memory model allows may be missing, whatever was asked of the search.
[[nodiscard]] constexpr bool may_hide_executions(const limit& named) noexcept {
    return named.effect == limit_effect::hides || named.effect == limit_effect::unseen;
}

/// Whether the search may have left out executions of its model.
[[nodiscard]] bool leave_anything_out(const std::vector<limit>& limits);

/// Keeps the limits that a violation rests on: executions left out do not weaken it.
void keep_those_of_a_violation(std::vector<limit>& limits);

/// How far a search had come when it was ended.
struct unfinished_search {
    std::uint64_t executions = 0;
    double seconds = 0;                   ///< its time budget, if that ended it; 0: something else did
    std::uint64_t of = 0;                 ///< executions asked for; 0: all
    double expected = 0;                  ///< executions of the whole search, estimated; 0: not known
    double expected_error = 0;            ///< standard error of the estimate
    std::uint64_t pairs = 0;              ///< reads-from pairs seen; 0: not known
    std::uint64_t newest_pair_after = 0;  ///< the number of executions at that point
};

// Bounds with the same name in every engine.
[[nodiscard]] limit cut_short_after(const unfinished_search& what);
[[nodiscard]] limit random_executions(std::uint64_t executions, std::uint64_t seed);
[[nodiscard]] limit at_most_preemptions(std::uint64_t most);

struct portfolio_result;

// The portfolio of a search that was cut short, without a violation.
/// Of a search by POS or SURW.
[[nodiscard]] limit tried_sampling(const portfolio_result& how);
/// `complete`: every execution within that bound was explored.
[[nodiscard]] limit tried_preemptions(std::uint64_t most, std::uint64_t executions, bool complete);
/// `most`: spurious failures of each thread, and reuses of freed memory.
[[nodiscard]] limit tried_spurious_failures(std::uint64_t most, std::uint64_t executions, bool complete);

[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<limit>& limits);

/// "2, 5 and 7".
template <std::ranges::forward_range Numbers>
[[nodiscard]] std::string listed_numbers(const Numbers& numbers) {
    std::string result;
    for (auto each = std::ranges::begin(numbers); each != std::ranges::end(numbers); ++each) {
        const bool last = std::ranges::next(each) == std::ranges::end(numbers);
        if (each != std::ranges::begin(numbers)) result += last ? " and " : ", ";
        result += std::to_string(*each);
    }
    return result;
}

}  // namespace ordeal::detail
