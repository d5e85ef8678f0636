// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace ordeal::detail {

/// `text` as it may stand in XML 1.0, between tags and in an attribute: well-formed UTF-8, markup and the blanks that a
/// reader would change as references. What XML cannot hold, and what a reader's terminal would act on, is escaped; a long text is cut.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace ordeal::detail
