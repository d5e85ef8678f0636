// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/patterns.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ordeal::detail {

bool matches_glob(std::string_view pattern, std::string_view text) noexcept {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;  // the last '*', to which a mismatch goes back
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Of the beginnings of `a` with one character fewer, two fewer, and all.
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> two_before;
    std::iota(before.begin(), before.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row{i};
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t least = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            least = std::min({least, before[j] + 1, row[j - 1] + 1});
            const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            row.push_back(exchanged ? std::min(least, two_before[j - 2] + 1) : least);
        }
        two_before = std::exchange(before, std::move(row));
    }
    return before[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
    const auto found = std::ranges::min_element(
        candidates, {}, [&](const std::string& candidate) { return edit_distance(word, candidate); });
    return found == candidates.end() ? std::string() : *found;
}

std::string similar(std::string_view word, std::span<const std::string> candidates) {
    std::string found = nearest(word, candidates);
    return edit_distance(word, found) * 3 <= word.size() ? found : std::string();
}

bool is_name_of(std::string_view pattern, const scenario& what) noexcept {
    if (pattern.starts_with('=')) pattern.remove_prefix(1);
    return pattern == what.name;
}

bool selects(std::string_view pattern, const scenario& what) {
    if (pattern.starts_with('=')) return is_name_of(pattern, what);
    if (matches_glob(pattern, what.name) || pattern == what.subject) return true;
    while (pattern.ends_with('/')) pattern.remove_suffix(1);
    const std::string_view name = what.name;
    return !pattern.empty() && name.size() > pattern.size() && name.starts_with(pattern) && name[pattern.size()] == '/';
}

selection select(std::span<const scenario> all, std::span<const std::string> patterns) {
    selection result;
    for (const std::string& pattern : patterns) {
        const bool known = std::ranges::any_of(all, [&](const scenario& each) { return selects(pattern, each); });
        if (!known) {
            result.unknown = pattern;
            return result;
        }
    }
    for (const scenario& each : all) {
        const bool wanted = patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
                                return selects(pattern, each);
                            });
        if (wanted) result.chosen.push_back(&each);
    }
    return result;
}

std::string nearest_scenario(std::span<const scenario> all, std::string_view word) {
    std::set<std::string> names;
    for (const scenario& each : all) {
        names.insert(each.name);
        names.insert(each.subject);
    }
    const std::vector<std::string> candidates(names.begin(), names.end());
    return nearest(word, candidates);
}

std::optional<std::string> duplicate_name(std::span<const scenario> all) {
    std::set<std::string_view> seen;
    for (const scenario& each : all) {
        if (!seen.insert(each.name).second) return each.name;
    }
    return std::nullopt;
}

}  // namespace ordeal::detail
