// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// Where no terminal says how wide it is.
inline constexpr std::size_t usual_report_width = 120;

/// How text for a terminal is dressed, in colours or not at all, and how wide it may be.
class text_style {
public:
    explicit text_style(bool colour = false, std::size_t width = usual_report_width) noexcept
        : colour_(colour), width_(width) {}

    [[nodiscard]] std::size_t width() const noexcept { return width_; }
    [[nodiscard]] bool has_colour() const noexcept { return colour_; }

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
    std::size_t width_;
};

/// Lines of the report that this thread makes are at most this long, unless one word is longer, or it is the row of a
/// table.
inline thread_local std::size_t report_width = usual_report_width;

/// For as long as it lives, reports are as wide as the style has it: every text report begins with one.
class report_lines {
public:
    explicit report_lines(const text_style& style) noexcept : before_(report_width) { report_width = style.width(); }
    ~report_lines() { report_width = before_; }
    report_lines(const report_lines&) = delete;
    report_lines& operator=(const report_lines&) = delete;

private:
    std::size_t before_;
};

}  // namespace ordeal::detail
