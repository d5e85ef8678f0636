// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/thread_tree.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

/// Threads that one thread creates one directly after the other, and that begin alike.
struct symmetry_group {
    std::vector<std::uint8_t> members;  ///< in the order in which they are created
    /// The argument of each is the address of a block of its own, which holds the same. It frees that itself.
    bool own_blocks = false;

    bool operator==(const symmetry_group&) const = default;
};

/// Groups of interchangeable threads that the first run of a search finds. All processes of a search have the same.
class symmetry_groups {
public:
    /// `wanted`: whether a search detects any.
    explicit symmetry_groups(bool wanted) noexcept : known_(!wanted) {}

    /// Whether the first run is still to come.
    [[nodiscard]] bool are_unknown() const noexcept { return !known_; }
    [[nodiscard]] bool any() const noexcept { return !all_.empty(); }
    [[nodiscard]] const std::vector<symmetry_group>& all() const noexcept { return all_; }
    void set(std::vector<symmetry_group> all) {
        known_ = true;
        all_ = std::move(all);
    }

    /// For another process, and for a file; empty while nothing is known.
    [[nodiscard]] std::string text(const thread_tree& threads) const;
    /// Throws std::runtime_error where the text is none.
    void set(std::string_view text, thread_tree& threads);

private:
    bool known_;
    std::vector<symmetry_group> all_;
};

}  // namespace ordeal::detail::graph
