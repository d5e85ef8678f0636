// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/standard_streams.hpp"

#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/text/style.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>

namespace ordeal::detail {

void reserve_standard_streams() noexcept {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is this one. Reading from the first and writing to the others fails as it would have.
        (void)open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void say(std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void say_line(std::string_view text) { say(program_name() + ": " + std::string(text) + '\n'); }

namespace {

// Zero where it is not known.
std::size_t terminal_columns() {
    if (const char* const given = std::getenv("COLUMNS")) {
        const std::string_view text = given;
        std::size_t columns = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
        if (error == std::errc() && end == text.data() + text.size() && columns > 0) return columns;
    }
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::size_t text_width() {
    constexpr std::size_t least = 60;
    constexpr std::size_t most = 200;
    if (isatty(STDOUT_FILENO) == 0) return usual_report_width;
    const std::size_t columns = terminal_columns();
    return columns == 0 ? usual_report_width : std::clamp(columns, least, most);
}

}  // namespace ordeal::detail
