// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace ordeal::linker {

/// A section of an input that the linker has put into its output.
struct linked_section {
    std::string input;  ///< as the map calls it: "dir/a.o", "dir/liba.a(a.o)"
    std::string name;   ///< ".text"

    bool operator==(const linked_section&) const = default;
};

/// What a linker's map names, of GNU ld, gold, LLD or mold; not what was discarded, and no empty section.
[[nodiscard]] std::vector<linked_section> sections_in_map(std::istream& map);

}  // namespace ordeal::linker
