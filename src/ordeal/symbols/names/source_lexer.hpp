// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Lines of sources; each file is read once.
class source_text {
public:
    /// Empty if there is no such line, or the file cannot be read.
    [[nodiscard]] const std::string& line(const std::string& file, std::uint32_t number);

private:
    std::map<std::string, std::vector<std::string>> files_;
};

/// "queue::node" of `new queue::node{...}`, "ring<int>" of `new ring<int>(2)`, in the order of the line; then "int" of
/// `malloc(sizeof(int))`.
[[nodiscard]] std::vector<std::string> types_allocated(std::string_view line);
/// All names in a line outside strings and comments.
[[nodiscard]] std::vector<std::string> names_in(std::string_view line);
/// "next_" of `waiter->next_.write()`, given the column (from 1) at which the expression begins; empty if there is no
/// such call.
[[nodiscard]] std::string object_of_call(std::string_view line, std::uint32_t column);

}  // namespace ordeal::detail
