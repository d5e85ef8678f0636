// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace ordeal {

/// How text for a terminal is dressed: in colours, or not at all.
class text_style {
public:
    explicit text_style(bool colour = false) noexcept : colour_(colour) {}

    [[nodiscard]] std::string good(std::string_view text) const { return dressed("32", text); }
    [[nodiscard]] std::string bad(std::string_view text) const { return dressed("31", text); }
    [[nodiscard]] std::string doubtful(std::string_view text) const { return dressed("33", text); }
    [[nodiscard]] std::string strong(std::string_view text) const { return dressed("1", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return dressed("2", text); }

private:
    [[nodiscard]] std::string dressed(std::string_view code, std::string_view text) const {
        if (!colour_ || text.empty()) return std::string(text);
        std::string result("\033[");
        result.append(code).append("m").append(text).append("\033[0m");
        return result;
    }

    bool colour_;
};

/// Lines of reports are at most this long, unless one word is longer.
inline constexpr std::size_t report_width = 120;

}  // namespace ordeal
