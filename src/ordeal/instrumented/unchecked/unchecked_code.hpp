// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_front_end.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The lists of unchecked code that the build writes beside each trial library: linker/list_unseen.cpp.
namespace unchecked_lists {

/// Unchecked code in the libraries.
[[nodiscard]] std::vector<unchecked_item> listed();

/// Whether ALLOW_UNSEEN has one of these names. A file may be named without its folder, a library without CMake's
/// prefix and suffix.
[[nodiscard]] bool allow(std::initializer_list<std::string_view> names);

/// Words for a call of a library function whose accesses are unchecked; `name` is its name in the source.
[[nodiscard]] std::string words_for_call(const std::string& name, std::uintptr_t address);

/// Words for a location in a source of the trial that the compiler does not instrument: assembler.
[[nodiscard]] std::string words_for_place(const std::string& what, const std::string& file,
                                          const std::string& function);

}  // namespace unchecked_lists

/// Library functions called by code on trial. The effects of those listed in library_functions.cpp are accounted for.
/// The memory accesses of others are unchecked, and a verdict that depends on such a call names it as a limit.
namespace uninstrumented_calls {

/// Before the first execution: redirects every call of such a function from a trial library through its accounting.
void begin_search();

/// Limits for calls that cannot be intercepted: on processors for which interception is not implemented.
[[nodiscard]] std::vector<std::string> unnoticed();

}  // namespace uninstrumented_calls

}  // namespace ordeal::detail
