// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace ordeal::linker {

/// An input section that the linker has put into its output.
struct linked_section {
    std::string input;  ///< as in the map: "dir/a.o", "dir/liba.a(a.o)"
    std::string name;   ///< ".text"

    bool operator==(const linked_section&) const = default;
};

/// The sections in a map of GNU ld, gold, LLD or mold; no discarded or empty ones.
[[nodiscard]] std::vector<linked_section> sections_in_map(std::istream& map);

}  // namespace ordeal::linker
