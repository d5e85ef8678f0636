// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/memory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ordeal::graph {

/// Threads of one execution: id 0 constructs, finishes and destroys the scenario, the others are its threads.
inline constexpr std::size_t max_thread_ids = thread_slots;
inline constexpr int main_thread_id = 0;

/// A set of events that is closed under program order, as the number of events of each thread.
class view {
public:
    [[nodiscard]] std::uint16_t operator[](std::size_t thread_id) const noexcept { return counts_[thread_id]; }
    [[nodiscard]] std::uint16_t& operator[](std::size_t thread_id) noexcept { return counts_[thread_id]; }

    void join(const view& other) noexcept {
        for (std::size_t i = 0; i < max_thread_ids; ++i) counts_[i] = std::max(counts_[i], other.counts_[i]);
    }

    /// Whether it holds the `index`-th event of a thread, counted from 0.
    [[nodiscard]] bool contains(std::size_t thread_id, std::uint16_t index) const noexcept {
        return counts_[thread_id] > index;
    }

    [[nodiscard]] bool includes(const view& other) const noexcept {
        unsigned beyond = 0;
        for (std::size_t i = 0; i < max_thread_ids; ++i) {
            beyond |= static_cast<unsigned>(std::max(counts_[i], other.counts_[i]) ^ counts_[i]);
        }
        return beyond == 0;
    }

private:
    alignas(32) std::array<std::uint16_t, max_thread_ids> counts_{};
};

}  // namespace ordeal::graph
