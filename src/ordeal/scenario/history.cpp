// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/history.hpp"

#include <utility>

namespace ordeal {

namespace {

history_handlers installed;

}  // namespace

moment now() noexcept { return installed.now == nullptr ? moment{} : installed.now(); }

bool happens_before(moment earlier, moment later) noexcept {
    return installed.happens_before != nullptr && installed.happens_before(earlier, later);
}

history_handlers set_history_handlers(history_handlers handlers) noexcept { return std::exchange(installed, handlers); }

}  // namespace ordeal
