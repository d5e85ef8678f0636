// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace ordeal::detail {

// The demangler also accepts mangled types, which are no symbols.
std::string readable_symbol(const char* symbol) {
    if (!std::string_view(symbol).starts_with("_Z")) return symbol;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 ? name.get() : symbol;
}

}  // namespace ordeal::detail
