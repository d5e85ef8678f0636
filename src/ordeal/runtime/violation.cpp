// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/violation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace ordeal {

namespace {

constexpr std::array<std::string_view, 17> kind_names{
    "data race",
    "unsynchronised destruction",
    "use after free",
    "double free",
    "frame misuse",
    "leak",
    "failed requirement",
    "precondition",
    "deadlock",
    "livelock",
    "uninitialised read",
    "uncaught exception",
    "crash",
    "nondeterminism",
    "time-out",
    "notification after destruction",
    "use after scope",
};

}  // namespace

// Empty for an invalid number, which may come from memory that the code on trial has overwritten.
std::string_view to_string(violation_kind kind) noexcept {
    const auto index = static_cast<std::size_t>(kind);
    return index < kind_names.size() ? kind_names[index] : std::string_view();
}

std::optional<violation_kind> parse_violation_kind(std::string_view text) noexcept {
    const auto found = std::ranges::find(kind_names, text);
    if (found == kind_names.end()) return std::nullopt;
    return static_cast<violation_kind>(found - kind_names.begin());
}

bool acceptance::covers(violation_kind what, std::string_view in_file, std::uint32_t at_line) const noexcept {
    if (what != kind || (line != 0 && at_line != line)) return false;
    if (file.empty()) return true;
    if (!in_file.ends_with(file)) return false;
    return in_file.size() == file.size() || file.front() == '/' || in_file[in_file.size() - file.size() - 1] == '/';
}

bool can_be_accepted(violation_kind kind) noexcept {
    return kind != violation_kind::crash && kind != violation_kind::nondeterminism && kind != violation_kind::time_out;
}

bool has_location(violation_kind kind) noexcept {
    switch (kind) {
        case violation_kind::leak:
        case violation_kind::deadlock:
        case violation_kind::livelock:
        case violation_kind::uncaught_exception:
        case violation_kind::crash:
        case violation_kind::nondeterminism:
        case violation_kind::time_out: return false;
        default: return true;
    }
}

std::optional<acceptance> parse_acceptance(std::string_view text) {
    const auto at = text.find('@');
    std::string name(text.substr(0, at));
    auto kind = parse_violation_kind(name);
    if (!kind) {
        std::ranges::replace(name, '-', ' ');
        kind = parse_violation_kind(name);
    }
    if (!kind) return std::nullopt;
    acceptance result{*kind, {}, 0};
    if (at == std::string_view::npos) return result;
    std::string_view place = text.substr(at + 1);
    const auto colon = place.rfind(':');
    const std::string_view number = colon == std::string_view::npos ? std::string_view() : place.substr(colon + 1);
    if (colon != std::string_view::npos) {
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), result.line);
        if (error != std::errc() || end != number.data() + number.size() || result.line == 0) return std::nullopt;
        place = place.substr(0, colon);
    }
    if (place.empty() || place.find_first_of("'\n") != std::string_view::npos) return std::nullopt;
    result.file = place;
    return result;
}

std::string to_string(const acceptance& value) {
    std::string result(to_string(value.kind));
    if (!value.file.empty()) result += '@' + value.file;
    if (value.line != 0) result += ':' + std::to_string(value.line);
    return result;
}

}  // namespace ordeal
