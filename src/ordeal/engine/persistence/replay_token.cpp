// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/replay_token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace ordeal::detail {

namespace {

constexpr std::string_view version = "o1";
constexpr std::string_view no_text = "-";

// FNV-1a, 32 bits.
std::uint32_t checksum(std::string_view text) {
    std::uint32_t hash = 2166136261U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

// Tokens contain no control characters.
bool contains_any(std::string_view text, std::string_view characters) {
    return std::ranges::any_of(text, [&](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || characters.find(c) != std::string_view::npos;
    });
}

struct escaped_character {
    char what;
    std::string_view code;
};
constexpr std::array escaped_characters{escaped_character{'%', "%25"}, escaped_character{':', "%3A"},
                                        escaped_character{'\'', "%27"}};

// Names of scenarios may have what separates parts, and what ends a word of a shell.
std::string escaped_name(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const auto found = std::ranges::find(escaped_characters, c, &escaped_character::what);
        text += found == escaped_characters.end() ? std::string_view(&c, 1) : found->code;
    }
    return text;
}

std::string unescaped_name(std::string_view text) {
    std::string name;
    while (!text.empty()) {
        const auto found = std::ranges::find_if(
            escaped_characters, [&](const escaped_character& each) { return text.starts_with(each.code); });
        name += found == escaped_characters.end() ? text.front() : found->what;
        text.remove_prefix(found == escaped_characters.end() ? 1 : found->code.size());
    }
    return name;
}

// Removes the part before the next ':' from `rest`.
std::optional<std::string_view> next_part(std::string_view& rest) {
    const auto end = rest.find(':');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return part;
}

std::optional<std::vector<order_override>> parse_overrides(std::string_view text) {
    std::vector<order_override> result;
    if (text == no_text) return result;
    while (true) {
        const auto end = text.find(',');
        auto one = parse_order_override(text.substr(0, end));
        if (!one) return std::nullopt;
        result.push_back(std::move(*one));
        if (end == std::string_view::npos) return result;
        text.remove_prefix(end + 1);
    }
}

std::string model_part(memory_model which) {
    return which == default_memory_model ? "" : fmt::format("+{}", to_string(which));
}

// Removes the memory model from the name of the engine.
std::optional<memory_model> take_model(std::string_view& engine) {
    const auto plus = engine.find('+');
    if (plus == std::string_view::npos) return default_memory_model;
    const auto which = parse_memory_model(engine.substr(plus + 1));
    engine = engine.substr(0, plus);
    return which;
}

parsed_token failure(std::string error) { return {std::nullopt, std::move(error)}; }

bool looks_like_another_version(std::string_view first) {
    return first.size() > 1 && first[0] == 'o' &&
           std::all_of(first.begin() + 1, first.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

constexpr const char* damaged = "the replay token is damaged: part of it is missing or was changed";

}  // namespace

std::optional<std::string> to_text(const replay_token& token) {
    if (contains_any(token.engine, ":'+") || contains_any(token.scenario, "")) return std::nullopt;
    if (contains_any(token.path.text, "'") || token.path.text == no_text) return std::nullopt;
    std::string overrides;
    for (const order_override& each : token.overrides) {
        const std::string one = to_string(each);
        if (contains_any(one, ":,'")) return std::nullopt;
        overrides += (overrides.empty() ? "" : ",") + one;
    }
    const std::string text = fmt::format("{}:{}{}:{}:{}:{}:", version, token.engine, model_part(token.model),
                                         escaped_name(token.scenario), overrides.empty() ? no_text : overrides,
                                         token.path.text.empty() ? no_text : std::string_view(token.path.text));
    return fmt::format("{}{:08x}", text, checksum(text));
}

parsed_token parse_token(std::string_view text) {
    std::string_view rest = text;
    const auto first = next_part(rest);
    if (!first || (*first != version && !looks_like_another_version(*first))) {
        return failure(fmt::format("this is not a replay token: it does not begin with '{}:'", version));
    }
    if (*first != version) {
        return failure(fmt::format("the replay token has version {}; this program reads version {}", *first, version));
    }
    const auto last = text.rfind(':') + 1;
    if (text.substr(last) != fmt::format("{:08x}", checksum(text.substr(0, last)))) return failure(damaged);

    rest.remove_suffix(text.size() - last);  // it now ends with ':', so that every part is followed by one
    auto engine = next_part(rest);
    const auto scenario = engine ? next_part(rest) : std::nullopt;
    const auto overrides = scenario ? next_part(rest) : std::nullopt;
    if (!overrides || rest.empty()) return failure("this is not a replay token: it has too few parts");
    const auto model = take_model(*engine);
    if (!model) return failure("the replay token is of a memory model that this program does not have");
    auto changes = parse_overrides(*overrides);
    if (!changes) return failure("this is not a replay token: its list of replaced orders cannot be read");
    rest.remove_suffix(1);
    return {replay_token{std::string(*engine), unescaped_name(*scenario), std::move(*changes),
                         choices{std::string(rest == no_text ? "" : rest)}, *model},
            {}};
}

}  // namespace ordeal::detail
