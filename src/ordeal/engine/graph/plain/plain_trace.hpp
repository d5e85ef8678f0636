// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/memory.hpp"
#include "ordeal/model/site.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::graph {

/// An access to bytes in a traced run.
struct noted_access {
    memory_range where;
    site_id site = no_site;
    std::uint32_t step = 0;  ///< 0: the trace has none of it, or not as a plain access
    std::uint8_t number = 0;
    bool writes = false;

    [[nodiscard]] bool operator==(const noted_access& other) const noexcept {
        return where.address == other.where.address && where.size == other.where.size && site == other.site &&
               step == other.step && number == other.number && writes == other.writes;
    }
};

/// A step of the trace that is a plain access, by its index.
struct plain_step {
    std::size_t index;
    memory_range where;
};

/// The plain accesses that get steps, as numbers of those of the execution; and those to the bytes that it is about.
struct plain_window {
    std::uint64_t begin = 0;
    memory_range always{};
    unsigned steps_outside = 0;
    bool left_out = false;
};

}  // namespace ordeal::graph
