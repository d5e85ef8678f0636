// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/memory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ordeal::graph {

/// Threads of one execution: number 0 constructs, finishes and destroys the scenario, the others are its threads.
inline constexpr std::size_t max_numbers = thread_slots;
inline constexpr int main_number = 0;

/// A set of events that is closed under program order, as the number of events of each thread.
class view {
public:
    [[nodiscard]] std::uint16_t operator[](std::size_t number) const noexcept { return counts_[number]; }
    [[nodiscard]] std::uint16_t& operator[](std::size_t number) noexcept { return counts_[number]; }

    void join(const view& other) noexcept {
        for (std::size_t i = 0; i < max_numbers; ++i) counts_[i] = std::max(counts_[i], other.counts_[i]);
    }

    /// Whether it holds the `index`-th event of a thread, counted from 0.
    [[nodiscard]] bool contains(std::size_t number, std::uint16_t index) const noexcept {
        return counts_[number] > index;
    }

    [[nodiscard]] bool includes(const view& other) const noexcept {
        unsigned beyond = 0;
        for (std::size_t i = 0; i < max_numbers; ++i) {
            beyond |= static_cast<unsigned>(std::max(counts_[i], other.counts_[i]) ^ counts_[i]);
        }
        return beyond == 0;
    }

private:
    alignas(32) std::array<std::uint16_t, max_numbers> counts_{};
};

}  // namespace ordeal::graph
