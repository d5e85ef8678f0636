// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// What the program writes for itself to read again: "ordeal KIND VERSION", lines, and a checksum of all before it.
struct sealed_kind {
    std::string_view name;     ///< "checkpoint": what it is, in the first line and in messages
    std::string_view version;  ///< of the format
    std::size_t lines = 0;     ///< between the first and the last
};

/// The text of such a file; no line has an end in it.
[[nodiscard]] std::string seal(const sealed_kind& kind, std::span<const std::string> lines);

/// The lines that are sealed in `text`, the content of the file `path`. Throws std::runtime_error, which says why, when it is
/// of another kind or version, or not whole.
[[nodiscard]] std::vector<std::string> unseal(const sealed_kind& kind, const std::string& path, std::string_view text);

}  // namespace ordeal
