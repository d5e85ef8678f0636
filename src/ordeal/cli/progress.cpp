// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/progress.hpp"

#include "ordeal/cli/standard_files.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
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

}  // namespace

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
    constexpr std::size_t cells = 24;
    const std::size_t full = now.total == 0 ? 0 : std::min(cells, now.finished * cells / now.total);
    const std::string bar = std::string(full, '#') + std::string(cells - full, '.');
    std::string line = fmt::format("[{}] {}/{}  {} executions", bar, now.finished, now.total, now.executions);
    if (now.newest != nullptr) line += "  " + now.newest->what->name;
    line.resize(std::min(line.size(), terminal_width() - 1));
    say(fmt::format("\r{}\033[K", line));
    drawn_ = true;
}

void progress_display::write_line(const isolation_progress& now) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(last_ - began_).count();
    say(fmt::format("ordeal: {} of {} searches done, {} executions, {} s\n", now.finished, now.total, now.executions,
                    seconds));
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
