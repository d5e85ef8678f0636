// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// The atomic sites in the text of `file` that are not among `reached`: those that no scenario reaches.
///
/// Reads text, without compiling it: takes the first operation of each line whose orders are literal.
[[nodiscard]] std::vector<site> unreached_sites(const std::string& file, std::span<const std::string> lines,
                                                std::span<const site> reached);

}  // namespace ordeal::detail
