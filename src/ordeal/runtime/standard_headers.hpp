// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace ordeal::detail {

/// Whether a file is a header of the C++ library, the C library or the compiler, which are not on trial. Not all of
/// /usr/include is: libraries installed there may be on trial.
[[nodiscard]] inline bool is_standard_header(std::string_view file) {
    constexpr std::array<std::string_view, 6> folders{
        "/include/c++/",     // libstdc++ and libc++
        "-linux-gnu/c++/",   // processor-dependent parts of libstdc++
        "-linux-gnu/bits/",  // the C library
        "-linux-gnu/sys/",   //
        "/usr/lib/gcc/",     // headers of the compilers
        "/lib/clang/",       //
    };
    return std::ranges::any_of(folders,
                               [&](std::string_view folder) { return file.find(folder) != std::string_view::npos; });
}

/// Whether a file is one of a test framework, which are not on trial with the tests: an assertion stands where the test
/// has it. Folders of users have such names, too, so that the names of the files count.
[[nodiscard]] inline bool is_test_framework(std::string_view file) {
    constexpr std::array<std::array<std::string_view, 2>, 6> files_in_folders{{{"/gtest/", "gtest"},
                                                                               {"/googletest/", "gtest"},
                                                                               {"/gmock/", "gmock"},
                                                                               {"/googlemock/", "gmock"},
                                                                               {"/catch2/", "catch"},
                                                                               {"/doctest/", "doctest"}}};
    constexpr std::array<std::string_view, 4> parts{"/catch.hpp", "/catch_amalgamated.", "/doctest.h", "/boost/test/"};
    const std::string_view name = file.substr(file.rfind('/') + 1);
    const auto is_in = [&](std::string_view part) { return file.find(part) != std::string_view::npos; };
    if (std::ranges::any_of(files_in_folders,
                            [&](const auto& each) { return is_in(each[0]) && name.starts_with(each[1]); }) ||
        std::ranges::any_of(parts, is_in))
        return true;
    // What tells the harness what a framework finds.
    return file.ends_with("_listener.cpp") && file.find("ordeal/suite/") != std::string_view::npos;
}

}  // namespace ordeal::detail
