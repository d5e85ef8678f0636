// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The author's reason for the order at `line` (from 1): the `order:` comment above it, or at the end of that line,
/// without the label and as one paragraph. Of a comment in parts, `order: (success)` and `order: (failure)`, the one
/// for the role. If sites with several orders share the location, `order: (release)` and so on, the one for the
/// declared order. Empty if there is none.
[[nodiscard]] std::string order_comment(std::span<const std::string> lines, std::uint32_t line, role what,
                                        std::optional<order> declared = std::nullopt);

/// Whether a line of source, outside comments, calls an atomic operation or a fence.
[[nodiscard]] bool calls_atomic_operation(std::string_view line);

/// The lines of a source file; empty if it cannot be read. read_source() says where it is looked for.
class source_cache {
public:
    [[nodiscard]] std::span<const std::string> lines(const std::string& path);

private:
    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace ordeal::detail
