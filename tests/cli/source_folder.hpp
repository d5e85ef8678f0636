// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program.hpp"

#include <string>

namespace ordeal::test {

/// A folder with sources, and with the cache that `try` and `test` build in.
class source_folder {
public:
    void write(const std::string& name, const std::string& text) const;

    /// A line of a shell in that folder, where "ordeal" is the program.
    [[nodiscard]] finished in_shell(const std::string& line) const;

private:
    temporary_folder folder_;
};

}  // namespace ordeal::test
