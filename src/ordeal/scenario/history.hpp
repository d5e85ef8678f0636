// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/moment.hpp"

namespace ordeal {

/// Where the calling thread is, in the execution that runs: for happens_before(). Orders nothing.
[[nodiscard]] moment now() noexcept;

/// Whether everything that the thread of `earlier` did before it happens before what the thread of `later` does next:
/// by program order and synchronisation ([intro.races]), in the execution that runs. To be called when all threads have
/// finished, as in finish().
///
/// Engine `graph` knows. Under the other engines and on real threads moments of one thread alone are ordered.
[[nodiscard]] bool happens_before(moment earlier, moment later) noexcept;

/// What knows it; installed by the engine that runs the scenario.
struct history_handlers {
    moment (*now)() noexcept = nullptr;
    bool (*happens_before)(moment earlier, moment later) noexcept = nullptr;
};
history_handlers set_history_handlers(history_handlers handlers) noexcept;

}  // namespace ordeal
