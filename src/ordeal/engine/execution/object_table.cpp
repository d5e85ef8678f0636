// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/execution/object_table.hpp"

namespace ordeal::detail {

std::string tracked_object::name() const {
    static constexpr std::array names{"atomic ", "cell ", "mutex ", "frame ", "condition variable "};
    return names[static_cast<std::size_t>(kind)] + std::to_string(ordinal);
}

}  // namespace ordeal::detail
