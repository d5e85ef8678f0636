// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_front_end.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// What the build lists beside each trial library: linker/list_unseen.cpp.
namespace ordeal::unchecked_lists {

/// Code in the libraries that nobody sees.
[[nodiscard]] std::vector<unchecked_item> listed();

/// Whether ALLOW_UNSEEN has one of these names. That of a file may be without its folder, a library's without what CMake adds to it.
[[nodiscard]] bool allow(std::initializer_list<std::string_view> names);

/// Words for what code of a function of a library does, which nobody sees; `name` is what the source calls it.
[[nodiscard]] std::string words_for_call(const std::string& name, std::uintptr_t address);

/// Words for a place in a source of the trial of which the compiler tells nothing: assembler.
[[nodiscard]] std::string words_for_place(const std::string& what, const std::string& file,
                                          const std::string& function);

}  // namespace ordeal::unchecked_lists
