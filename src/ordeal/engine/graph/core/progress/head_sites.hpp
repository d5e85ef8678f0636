// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <unordered_set>

namespace ordeal::detail::graph {

/// The heads of loops, by code address, at which a thread has been in the state of an earlier iteration, memory aside.
/// Elsewhere only the first heads of a thread are compared with all of memory: hashing it is expensive, and most loops
/// that call functions count in some way that nobody sees.
class head_sites {
public:
    static constexpr unsigned most_compared_elsewhere = 64;  ///< by one thread in one run

    [[nodiscard]] bool repeat(std::uintptr_t code) const { return known_.contains(code); }
    /// Returns whether it was not known.
    bool add(std::uintptr_t code) { return known_.insert(code).second; }

private:
    std::unordered_set<std::uintptr_t> known_;
};

}  // namespace ordeal::detail::graph
