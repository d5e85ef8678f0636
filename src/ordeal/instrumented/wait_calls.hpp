// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/byte_memory.hpp"

#include <cstdint>

namespace ordeal {

/// A load that the condition of a wait has made.
struct watched_load {
    atomic_access access;
    std::uint64_t value = 0;
};

/// The next load of an object, announced by our <bits/atomic_wait.h>: the library's own function makes it, at the place
/// and with the order that the user gave.
struct announced_load {
    std::uintptr_t address = 0;  ///< 0: none is announced
    int thread = 0;
    bool waits = false;  ///< is to return when the object does not hold `old`
    std::uint64_t old = 0;
    watched_load* watched = nullptr;  ///< is to be noted here
};

namespace detail {

// One is enough: between the announcement and the load there is nothing where another thread could run.
inline announced_load announced;

}  // namespace detail

/// What was announced of this load, once; all zero for almost every load.
[[nodiscard]] inline announced_load take_announced_load(const byte_memory& port, memory_range where) noexcept {
    const announced_load result = detail::announced;
    if (result.address != where.address || result.thread != port.thread()) [[likely]]
        return {};
    detail::announced = {};
    return result;
}

/// To be called before each execution: the last one may have been left anywhere.
inline void forget_announced_loads() noexcept { detail::announced = {}; }

}  // namespace ordeal
