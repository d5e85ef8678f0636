// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// The blocks that a thread has allocated and not freed, each allocation by its number: memory that was freed and is
/// allocated again is another block.
class own_blocks {
public:
    void clear() noexcept {
        live_.clear();
        allocated_ = sum_ = 0;
    }
    void allocate(std::uintptr_t address) {
        live_.push_back({address, ++allocated_});
        sum_ += hash_of(live_.back());
    }
    /// Returns whether it was one.
    [[nodiscard]] bool free(std::uintptr_t address) {
        const auto found =
            std::find_if(live_.rbegin(), live_.rend(), [&](const block& each) { return each.address == address; });
        if (found == live_.rend()) return false;
        sum_ -= hash_of(*found);
        live_.erase(found.base() - 1);
        return true;
    }
    /// A hash of them: the same again if all that was allocated since has been freed, and nothing else.
    [[nodiscard]] std::uint64_t hash() const noexcept { return sum_; }

private:
    struct block {
        std::uintptr_t address = 0;
        std::uint64_t number = 0;
    };

    [[nodiscard]] static std::uint64_t hash_of(const block& which) noexcept {
        return hash_of_number(which.number, hash_of_number(which.address, 0));
    }

    std::vector<block> live_;
    std::uint64_t allocated_ = 0;
    std::uint64_t sum_ = 0;
};

}  // namespace ordeal::detail::graph
