// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/formats.hpp"

#include <array>

namespace ordeal::detail {

// A list, and no registration by constructors: a linker leaves out the object of a static library that nobody names.
std::span<const report_format* const> report_formats() {
    static const std::array all{&json_format(),     &html_format(),  &junit_format(),
                                &markdown_format(), &sarif_format(), &problems_format()};
    return all;
}

}  // namespace ordeal::detail
