// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/compiler_words.hpp"

#include <string>
#include <vector>

// Projects of CMake's for sources that have none, in the user's cache. So how code on trial is compiled stands in
// cmake/ alone.
namespace ordeal::detail {

/// As an argument of a function of CMake's.
[[nodiscard]] std::string cmake_quoted(const std::string& text);
/// Each in a line of its own.
[[nodiscard]] std::string cmake_quoted(const std::vector<std::string>& words);
/// The flags as words, those for the linker or the others.
[[nodiscard]] std::vector<std::string> cmake_words(const std::vector<compiler_flag>& flags);

/// The name of a target, from that of a file; some names are CMake's own.
[[nodiscard]] std::string target_name(const std::string& file);

/// The files, which are there, by their whole paths; throws for one that cannot be read.
[[nodiscard]] std::vector<std::string> readable_sources(const std::vector<std::string>& sources);

/// What is compiled in the user's cache, and run in place of this process.
struct kept_project {
    std::string command;  ///< which builds it: "try"
    std::string name;     ///< tells a reader of the cache what it is
    std::string program;  ///< of the target that is run
    std::string targets;  ///< what follows find_package(ordeal) in the file for CMake
    bool in_c = false;    ///< a source in C is among its own
};

/// Builds the project, unless it was built as it is, and becomes its program with these arguments. Lines to paste that
/// the program prints begin with `call`. Throws where the project cannot be built.
[[noreturn]] void build_and_become(const kept_project& project, const std::string& call,
                                   const std::vector<std::string>& arguments);

}  // namespace ordeal::detail
