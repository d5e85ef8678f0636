// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/address_randomisation.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>

namespace ordeal::detail {

namespace {

constexpr const char* tried = "ORDEAL_ADDRESSES_KEPT";  // in the environment of the program started anew
constexpr unsigned long only_ask = 0xffffffff;

// By its own name where it has one, so that lists of processes show that.
void start_anew(char** argv) noexcept {
    std::array<char, PATH_MAX> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    if (length > 0) execv(path.data(), argv);
    execv("/proc/self/exe", argv);
}

}  // namespace

void disable_address_randomisation(char** argv, bool always) noexcept {
    const bool again = getenv(tried) != nullptr;
    unsetenv(tried);  // it is not for the programs that this one starts
    if (again || (!always && std::ranges::none_of(scenarios(), &scenario::instrumented))) return;
    const int now = personality(only_ask);
    if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
    if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return;
    setenv(tried, "1", 1);
    start_anew(argv);
    unsetenv(tried);
    personality(static_cast<unsigned long>(now));
}

}  // namespace ordeal::detail
