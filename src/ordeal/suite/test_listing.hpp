// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

// What the command lines of test frameworks are like: how they are asked for their test cases, what they answer, and
// how one of them alone is run.
namespace ordeal::detail {

struct test_framework_words {
    std::string_view name;  ///< as existing_tests::framework
    /// Ways to ask, with the first that is understood.
    std::vector<std::vector<std::string>> list;
    /// The names in an answer; none where it is no answer.
    std::vector<std::string> (*names)(std::string_view output);
    /// The arguments that select this test case alone.
    std::vector<std::string> (*select)(std::string_view name);
};

/// Null for a framework that is not known, and for "plain".
[[nodiscard]] const test_framework_words* words_of_framework(std::string_view name);

}  // namespace ordeal::detail
