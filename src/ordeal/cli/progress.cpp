// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/progress.hpp"

#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace ordeal::detail {

namespace {

constexpr std::chrono::milliseconds bar_period{100};
constexpr std::chrono::seconds line_period{10};
constexpr std::chrono::milliseconds moment{300};

winsize terminal_size() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0) size = {};
    if (size.ws_col == 0) size.ws_col = 80;
    if (size.ws_row == 0) size.ws_row = 24;
    return size;
}

// "12,345", and from a million on "5.0e6".
std::string rounded(double value) {
    if (value < 999'999.5) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
    const std::string text = fmt::format("{:.1e}", value);  // "5.0e+06"
    const std::size_t mantissa_end = text.find('e') + 1;
    return text.substr(0, mantissa_end) + std::to_string(std::stoi(text.substr(mantissa_end)));
}

// "12 s", "3 min", "2.5 h"
std::string duration_text(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    if (seconds < 2 * minute) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
    if (seconds < 2 * day) return fmt::format("{:.1f} h", seconds / hour);
    return fmt::format("{} days", rounded(seconds / day));
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

std::string estimate_text(const running_search& search) {
    std::string text = with_commas(search.executions);
    if (!(search.expected > 0) || !std::isfinite(search.expected)) {
        return text + (search.executions == 1 ? " execution" : " executions");
    }
    text += fmt::format(" of about {}", rounded(search.expected));
    if (search.expected_error > 0)
        text += fmt::format(" \u00b1 {:.0f} %", 100 * search.expected_error / search.expected);
    return text;
}

std::string seen_text(const running_search& search) {
    std::string text;
    if (search.pairs > 0) {
        text = with_commas(search.pairs) +
               (search.pairs == 1 ? " reads-from pair, after " : " reads-from pairs, the last new one after ") +
               with_commas(search.newest_pair_after);
    }
    if (search.portfolio_executions > 0)
        text += (text.empty() ? "portfolio: " : "; portfolio: ") + with_commas(search.portfolio_executions);
    return text;
}

std::string time_left_text(const running_search& search) {
    const double budget =
        search.job->how.resources.seconds > 0 ? std::max(0.0, search.job->how.resources.seconds - search.seconds) : -1;
    const auto done = static_cast<double>(search.executions);
    double estimate = -1;
    if (done > 0 && search.seconds > 0 && std::isfinite(search.expected) && search.expected > done) {
        estimate = (search.expected - done) * search.seconds / done;
    }
    if (estimate >= 0 && (budget < 0 || estimate < budget)) return "about " + duration_text(estimate) + " left";
    if (budget < 0) return {};
    return fmt::format("{} left of its {}", duration_text(budget), duration_text(search.job->how.resources.seconds));
}

std::string search_text(const running_search& search) {
    std::string text = fmt::format("{}: {}", escaped(search.job->what->name), estimate_text(search));
    if (search.seconds >= 1)
        text += fmt::format(", {} a second", rounded(static_cast<double>(search.executions) / search.seconds));
    if (const std::string left = time_left_text(search); !left.empty()) text += ", " + left;
    const std::string seen = seen_text(search);
    return seen.empty() ? text : text + "; " + seen;
}

std::string bar_text(const isolation_progress& now, std::size_t width, std::size_t rows) {
    constexpr std::size_t cells = 24;
    const std::size_t full = now.total == 0 ? 0 : std::min(cells, now.finished * cells / now.total);
    const std::string bar = std::string(full, '#') + std::string(cells - full, '.');
    std::string text =
        fmt::format("[{}] {}/{}  {} executions", bar, now.finished, now.total, with_commas(now.executions));
    cut(text, width);
    const std::size_t count = now.running.size();
    const std::size_t room = rows > 1 ? rows - 1 : 0;
    const std::size_t shown = count <= room ? count : room - std::min<std::size_t>(room, 1);
    for (std::size_t i = 0; i != shown; ++i) {
        std::string line = "  " + search_text(now.running[i]);
        cut(line, width);
        text += '\n' + line;
    }
    if (shown != count && room > 0) {
        std::string line = fmt::format("  and {} more", count - shown);
        cut(line, width);
        text += '\n' + line;
    }
    return text;
}

std::string line_text(const isolation_progress& now, long long seconds) {
    constexpr std::size_t most = 8;
    const std::string name = program_name();
    std::string text = fmt::format("{}: {} of {} searches done, {} executions, {} s\n", name, now.finished, now.total,
                                   with_commas(now.executions), seconds);
    for (std::size_t i = 0; i != std::min(most, now.running.size()); ++i) {
        text += name + ":   " + search_text(now.running[i]) + '\n';
    }
    if (now.running.size() > most) text += fmt::format("{}:   and {} more\n", name, now.running.size() - most);
    return text;
}

std::string violation_line(const noticed_violation& found) {
    return fmt::format("{}: violated: {} in {}\n", program_name(), to_string(found.kind),
                       escaped(found.job->what->name));
}

progress_display::progress_display(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void progress_display::show(const isolation_progress& now) {
    if (quiet_) return;
    say_first_violation(now);
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

// Where the report is there in a moment, it says it.
void progress_display::say_first_violation(const isolation_progress& now) {
    if (said_violation_ || !now.first || now.finished == now.total) return;
    if (!met_violation_) met_violation_ = clock::now();
    if (clock::now() - *met_violation_ < moment) return;
    said_violation_ = true;
    clear();
    say(violation_line(*now.first));
}

void progress_display::draw_bar(const isolation_progress& now) {
    const winsize size = terminal_size();
    const std::string text = bar_text(now, size.ws_col - 1U, size.ws_row / 2U);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    say(to_its_first_line() + "\033[J" + text);
    drawn_ = lines;
}

std::string progress_display::to_its_first_line() const {
    return drawn_ > 1 ? fmt::format("\r\033[{}A", drawn_ - 1) : "\r";
}

void progress_display::write_line(const isolation_progress& now) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(last_ - began_).count();
    say(line_text(now, seconds));
}

void progress_display::stopping() {
    if (said_stopping_ || quiet_) return;
    said_stopping_ = true;
    clear();
    say_line("stopping; what is done is kept (once more to abort)");
}

void progress_display::clear() {
    if (drawn_ == 0) return;
    say(to_its_first_line() + "\033[J");
    drawn_ = 0;
}

}  // namespace ordeal::detail
