// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstdint>

namespace ordeal::graph {

/// A notification of an atomic.
struct notification {
    location where;
    std::uintptr_t address;
    site_id site;  ///< no_site: by the address alone, which may be that of anything
    bool all;
    std::uint8_t thread_id;  ///< of the thread that made it
    std::uint16_t index;     ///< of that thread's next event
    view hb;
    view porf;
};

/// An atomic wait, by the last value that it has read.
struct atomic_wait {
    event_id read;
    std::uint64_t old;
    view began;  ///< its porf prefix when it began
};

/// A wait on a condition variable, which the write of it began.
struct condition_wait {
    event_id write;
    std::uintptr_t mutex;
};

}  // namespace ordeal::graph
