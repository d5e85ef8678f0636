// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/escaped_text.hpp"

#include <cstddef>

namespace ordeal {

std::string escaped(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    const auto add = [&](unsigned char code) {
        result.append("\\x") += digits[code / 16];
        result += digits[code % 16];
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto code = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        if (code == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F are control characters, too
            add(next);
            ++i;
        } else if (code >= 0x20 && code != 0x7f) {
            result += text[i];
        } else if (code == '\n' || code == '\t') {
            result += code == '\n' ? "\\n" : "\\t";
        } else {
            add(code);
        }
    }
    return result;
}

}  // namespace ordeal
