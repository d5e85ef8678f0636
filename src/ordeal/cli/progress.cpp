// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/progress.hpp"

#include "ordeal/cli/standard_files.hpp"
#include "ordeal/report/escaped_text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace ordeal {

namespace {

constexpr std::chrono::milliseconds bar_period{100};
constexpr std::chrono::seconds line_period{10};

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

// "12,345"
std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
    return text;
}

// "12,345", and from a million on "5.0e6".
std::string rounded(double value) {
    if (value < 999'999.5) return grouped(static_cast<std::uint64_t>(std::llround(value)));
    const std::string text = fmt::format("{:.1e}", value);  // "5.0e+06"
    const std::size_t mantissa_end = text.find('e') + 1;
    return text.substr(0, mantissa_end) + std::to_string(std::stoi(text.substr(mantissa_end)));
}

// A character of several bytes is kept or cut as one.
void cut(std::string& text, std::size_t width) {
    const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (begins(text[i]) && characters++ == width) return text.resize(i);
    }
}

}  // namespace

namespace detail {

std::string estimate_text(const isolation_progress& now) {
    if (!(now.expected > 0) || !std::isfinite(now.expected)) return {};
    std::string text = fmt::format("{} of about {}", grouped(now.newest_executions), rounded(now.expected));
    if (now.expected_error > 0) text += fmt::format(" \u00b1 {:.0f} %", 100 * now.expected_error / now.expected);
    return text;
}

std::string bar_text(const isolation_progress& now, std::size_t width) {
    constexpr std::size_t cells = 24;
    const std::size_t full = now.total == 0 ? 0 : std::min(cells, now.finished * cells / now.total);
    const std::string bar = std::string(full, '#') + std::string(cells - full, '.');
    std::string line = fmt::format("[{}] {}/{}  {} executions", bar, now.finished, now.total, grouped(now.executions));
    if (now.newest != nullptr) line += "  " + escaped(now.newest->what->name);
    if (const std::string estimate = estimate_text(now); !estimate.empty()) line += ": " + estimate;
    cut(line, width);
    return line;
}

std::string line_text(const isolation_progress& now, long long seconds) {
    std::string line = fmt::format("ordeal: {} of {} searches done, {} executions, {} s", now.finished, now.total,
                                   grouped(now.executions), seconds);
    const std::string estimate = estimate_text(now);
    if (now.newest != nullptr && !estimate.empty())
        line += fmt::format("; {}: {}", escaped(now.newest->what->name), estimate);
    return line + '\n';
}

}  // namespace detail

progress_display::progress_display(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void progress_display::show(const isolation_progress& now) {
    if (quiet_) return;
    const auto time = clock::now();
    const bool due = terminal_ ? time - last_ >= bar_period : time - last_ >= line_period;
    if (!due) return;
    last_ = time;
    if (terminal_) {
        draw_bar(now);
    } else {
        write_line(now);
    }
}

void progress_display::draw_bar(const isolation_progress& now) {
    say(fmt::format("\r{}\033[K", detail::bar_text(now, terminal_width() - 1)));
    drawn_ = true;
}

void progress_display::write_line(const isolation_progress& now) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(last_ - began_).count();
    say(detail::line_text(now, seconds));
}

void progress_display::stopping() {
    if (said_stopping_ || quiet_) return;
    said_stopping_ = true;
    clear();
    say("ordeal: stopping; what is done is kept (once more to abort)\n");
}

void progress_display::clear() {
    if (!drawn_) return;
    say("\r\033[K");
    drawn_ = false;
}

}  // namespace ordeal
