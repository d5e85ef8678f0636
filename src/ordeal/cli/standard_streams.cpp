// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace ordeal {

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

}  // namespace ordeal
