// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_front_end.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// The lists that the build writes beside each trial library: linker/list_unseen.cpp.
namespace ordeal::detail::unchecked_lists {

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

}  // namespace ordeal::detail::unchecked_lists
