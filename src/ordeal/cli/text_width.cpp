// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/text_width.hpp"

#include "ordeal/report/text/style.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace ordeal::detail {

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
    if (isatty(STDOUT_FILENO) == 0) return usual_width;
    const std::size_t columns = terminal_columns();
    return columns == 0 ? usual_width : std::clamp(columns, least, most);
}

}  // namespace ordeal::detail
