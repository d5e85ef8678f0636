// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// A text that the program writes for itself: "ordeal KIND VERSION", lines, and a checksum of everything before it.
struct sealed_kind {
    std::string_view name;     ///< "checkpoint": in the first line and in messages
    std::string_view version;  ///< of the format
    std::size_t lines = 0;     ///< between the first and the last
};

/// The text of such a file; no line may contain a newline.
[[nodiscard]] std::string seal(const sealed_kind& kind, std::span<const std::string> lines);

/// The lines sealed in `text`, the content of the file `path`. Throws std::runtime_error with a reason if it is of
/// another kind or version, or incomplete.
[[nodiscard]] std::vector<std::string> unseal(const sealed_kind& kind, const std::string& path, std::string_view text);

}  // namespace ordeal::detail
