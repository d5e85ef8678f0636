// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/headers_version.hpp"

#include "ordeal/version.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" void ordeal_require_same_headers(const char* what, const char* version, int abi) noexcept {
    if (std::string_view(version) == ORDEAL_VERSION_STRING && abi == ORDEAL_ABI) return;
    std::fprintf(
        stderr,
        "ordeal: %s was compiled with the headers of ordeal %s (ABI %d), this program with those of ordeal %s (ABI "
        "%d); compile both with the same headers\n",
        what, version, abi, ORDEAL_VERSION_STRING, ORDEAL_ABI);
    std::_Exit(2);
}
