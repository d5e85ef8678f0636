// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/escaped_text.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace ordeal::detail {

namespace {

struct code_range {
    std::uint32_t first;
    std::uint32_t last;
};
// Unicode's controls of bidirectional text, its line breaks, and what has no width: a reader sees something else than
// there is. Joiners (U+200C, U+200D) stay: words of some languages need them.
constexpr std::array<code_range, 12> invisible{{{0xad, 0xad},
                                                {0x61c, 0x61c},
                                                {0x180e, 0x180e},
                                                {0x200b, 0x200b},
                                                {0x200e, 0x200f},
                                                {0x2028, 0x202e},
                                                {0x2060, 0x206f},
                                                {0xfeff, 0xfeff},
                                                {0xfff9, 0xfffb},
                                                {0xfffe, 0xffff},
                                                {0xe0000, 0xe007f},
                                                {0x10fffe, 0x10ffff}}};

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

bool acts(std::uint32_t code) {
    return is_control(code) || std::ranges::any_of(invisible, [&](const code_range& each) {
               return code >= each.first && code <= each.last;
           });
}

std::string escape_of(std::string_view text, const character& which) {
    const auto byte = static_cast<unsigned char>(text.front());
    if (which.size == 0) return fmt::format("\\x{:02x}", byte);
    if (which.code == '\n') return "\\n";
    if (which.code == '\t') return "\\t";
    return which.code < 0x100 ? fmt::format("\\x{:02x}", which.code) : fmt::format("\\u{:04x}", which.code);
}

// Most of a text.
std::size_t size_of_plain(std::string_view text) {
    const auto* const end = std::ranges::find_if(text, [](unsigned char each) { return each < 0x20 || each >= 0x7f; });
    return static_cast<std::size_t>(end - text.begin());
}

// The codes of text_style.
std::size_t style_at(std::string_view text) {
    for (const std::string_view each : {"\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m"}) {
        if (text.starts_with(each)) return each.size();
    }
    return 0;
}

struct kept_characters {
    bool lines = false;
    bool tabs = false;
    bool styles = false;
};

std::string escaped_but(std::string_view text, kept_characters keep) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t plain = size_of_plain(text);
        result += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        const std::size_t style = keep.styles ? style_at(text) : 0;
        const character next = first_character(text);
        const bool kept = (keep.tabs && next.code == '\t') || (keep.lines && next.code == '\n');
        std::size_t size = std::max<std::size_t>(1, next.size);
        if (style != 0) {
            result += text.substr(0, size = style);
        } else if (next.size == 0 || (acts(next.code) && !kept)) {
            result += escape_of(text, next);
        } else {
            result += text.substr(0, size);
        }
        text.remove_prefix(size);
    }
    return result;
}

// What runs a job of GitHub or Azure takes the first for a command at the beginning of a line, the others anywhere.
void add_without_commands(std::string& to, std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    to += line.substr(0, begin);
    line.remove_prefix(begin);
    if (line.starts_with("::")) to += '\\';
    while (true) {
        const std::size_t mark = line.find("##");
        if (mark == std::string_view::npos) break;
        to.append(line.substr(0, mark + 1));
        line.remove_prefix(mark + 1);
        const std::size_t bracket = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 1);
        if (bracket != std::string_view::npos && line[bracket] == '[') to += '\\';
    }
    to += line;
}

}  // namespace

// Rejects what decodes to the same character in two ways, surrogates, and anything above U+10FFFF.
character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < size) return {};
    std::uint32_t code = first & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3f);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least[size] || surrogate || code > 0x10ffff) return {};
    return {code, size};
}

std::string escaped(std::string_view text) { return escaped_but(text, {}); }

std::string cut_short(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    const std::uint64_t number = hash_of_bytes(reinterpret_cast<std::uintptr_t>(text.data()), text.size(), 0);
    return fmt::format("{}... ({} more bytes, #{:08x})", text.substr(0, end), text.size() - end,
                       static_cast<std::uint32_t>(number));
}

std::string escaped_value(std::string_view text) {
    return escaped_but(cut_short(text, longest_line), {.lines = true, .tabs = true});
}

std::string escaped_lines(std::string_view text, bool styled) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        add_without_commands(
            result, escaped_but(cut_short(text.substr(0, end), longest_line), {.tabs = true, .styles = styled}));
        if (end == std::string_view::npos) break;
        result += '\n';
        text.remove_prefix(end + 1);
    }
    return result;
}

// They stand in strings only, for outside of them JSON has nothing but ASCII; control characters it has escaped itself.
std::string escaped_json(std::string_view json) {
    std::string result;
    result.reserve(json.size());
    while (!json.empty()) {
        const std::size_t plain = std::min(size_of_plain(json), json.find('#'));
        result += json.substr(0, plain);
        json.remove_prefix(plain);
        if (json.empty()) break;
        const character next = first_character(json);
        const std::size_t size = std::max<std::size_t>(1, next.size);
        if (next.code >= 0x10000 && acts(next.code)) {
            const std::uint32_t rest = next.code - 0x10000;
            result += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
        } else if (next.code >= 0x7f && acts(next.code)) {
            result += fmt::format("\\u{:04x}", next.code);
        } else if (json.starts_with("##")) {
            result += "\\u0023";
        } else {
            result += json.substr(0, size);
        }
        json.remove_prefix(size);
    }
    return result;
}

namespace {

std::string_view reference_for(char each) {
    switch (each) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\t': return "&#9;";
        case '\n': return "&#10;";
        default: return {};
    }
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string result;
    const std::string value = escaped_value(text);
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char each = value[i];
        // Two of them may begin a command to what runs a job.
        const bool first_of_two = each == '#' && i + 1 < value.size() && value[i + 1] == '#';
        const std::string_view reference = first_of_two ? "&#35;" : reference_for(each);
        if (reference.empty()) {
            result += each;
        } else {
            result += reference;
        }
    }
    return result;
}

}  // namespace ordeal::detail
