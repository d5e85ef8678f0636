// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/html/html_page.hpp"

namespace ordeal::detail {

html_page_parts html_page() noexcept { return {}; }

}  // namespace ordeal::detail
