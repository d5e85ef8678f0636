// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// The atomic sites that the text of `file` shows and that are not among `reached`: what no scenario comes to.
///
/// A reader of text, not a compiler: it takes the first operation of each line whose orders are written out.
[[nodiscard]] std::vector<site> unreached_sites(const std::string& file, std::span<const std::string> lines,
                                                std::span<const site> reached);

}  // namespace ordeal::detail
