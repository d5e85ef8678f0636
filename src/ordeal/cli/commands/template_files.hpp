// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string_view>

namespace ordeal::detail {

/// A file of the project that `ordeal new` writes. The build makes them of the folder template/.
struct template_file {
    std::string_view path;     ///< relative to the project
    std::string_view content;  ///< in which `my_project` stands for the name of the project
};

[[nodiscard]] std::span<const template_file> template_files() noexcept;

}  // namespace ordeal::detail
