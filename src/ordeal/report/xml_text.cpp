// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/xml_text.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::detail {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD

struct character {
    std::uint32_t code = 0;
    std::size_t size = 0;  ///< bytes; 0: not well-formed
};

// Rejects what decodes to the same character in two ways, surrogates, and anything above U+10FFFF.
character decode(std::string_view text) {
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

// Control characters are not XML, and U+FFFE and U+FFFF are no characters.
bool allowed(std::uint32_t code) {
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code != 0xfffe && code != 0xffff;
}

std::string_view reference_for(std::uint32_t code) {
    switch (code) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\t': return "&#9;";
        case '\n': return "&#10;";
        case '\r': return "&#13;";
        default: return {};
    }
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const character next = decode(text);
        const std::size_t size = next.size > 0 ? next.size : 1;
        if (next.size == 0 || !allowed(next.code)) {
            result += replacement;
        } else if (const std::string_view reference = reference_for(next.code); !reference.empty()) {
            result += reference;
        } else {
            result += text.substr(0, size);
        }
        text.remove_prefix(size);
    }
    return result;
}

}  // namespace ordeal::detail
