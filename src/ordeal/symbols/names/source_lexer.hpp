// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// Lines of sources, each file read once.
class source_text {
public:
    /// Empty when there is no such line, or the file cannot be read.
    [[nodiscard]] const std::string& line(const std::string& file, std::uint32_t number);

private:
    std::map<std::string, std::vector<std::string>> files_;
};

/// "queue::node" of `new queue::node{...}`, each in the order of the line.
[[nodiscard]] std::vector<std::string> types_after_new(std::string_view line);
/// All names in a line, without what is in strings and comments.
[[nodiscard]] std::vector<std::string> names_in(std::string_view line);
/// "next_" of `waiter->next_.write()`, from a column (the first is 1) that the expression begins at; empty where there is
/// no such call.
[[nodiscard]] std::string object_of_call(std::string_view line, std::uint32_t column);

}  // namespace ordeal
