// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Words of a compiler's command line.
namespace ordeal::detail {

/// A flag with its value, which may have been the next word.
struct compiler_flag {
    std::string name;    ///< "-I", "-std=c++17"; empty: the name of a file
    std::string value;   ///< a path is absolute
    bool apart = false;  ///< name and value stay two words
};

/// Relative paths become absolute: they stay right in whatever folder the compiler runs.
[[nodiscard]] std::vector<compiler_flag> flags_of(const std::vector<std::string>& words);

/// Also of libraries and objects.
[[nodiscard]] bool is_for_linker(const compiler_flag& flag);

/// For functions of CMake's: one word, as CMake removes words that are there twice.
[[nodiscard]] std::string cmake_word(const compiler_flag& flag);

/// By the ending of its name.
[[nodiscard]] bool is_source(std::string_view word);
/// ".cpp, .cc, ..."
[[nodiscard]] std::string source_endings();

/// The command that builds a program of tests.
struct compiler_command {
    std::string output;  ///< as -o has it; empty: none
    std::vector<std::string> sources;
    std::vector<compiler_flag> flags;   ///< for the compiler
    std::vector<compiler_flag> linked;  ///< for the linker, with libraries and objects
    bool all_in_cxx = false;            ///< the compiler takes a source in C for one in C++
};

/// What such a command consists of; without what is for another compiler or no matter for a check, as warnings are.
/// Throws command_error for a command that is no compiler's, or does not build a program from sources.
[[nodiscard]] compiler_command parse_compiler_command(const std::vector<std::string>& words);

}  // namespace ordeal::detail
