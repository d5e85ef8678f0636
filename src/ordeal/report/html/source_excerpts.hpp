// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Private to the renderers: it brings in the JSON library.

#include <nlohmann/json.hpp>

namespace ordeal::detail {

/// The source that a report refers to, by the "file" and "line" of its objects: each file whole, or of a long one the
/// lines around those. Files that cannot be read are left out. By file: its number of lines, and parts, each with the
/// number of its first line.
[[nodiscard]] nlohmann::ordered_json source_excerpts(const nlohmann::ordered_json& report);

}  // namespace ordeal::detail
