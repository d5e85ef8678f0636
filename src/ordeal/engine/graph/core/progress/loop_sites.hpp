// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ordeal::detail::graph {

/// The places where a search has found loops: there the states of threads are compared, which is dear.
class loop_sites {
public:
    [[nodiscard]] bool knows(site_id site);
    /// A loop may have come back here.
    void add(site_id site) {
        known_[site] = knowledge::known;
        note_change();
    }
    /// States are taken in other places from now on.
    void note_change() noexcept { ++learned_; }
    /// So often any were added. What a run has taken of states before is not what it would take now.
    [[nodiscard]] unsigned learned() const noexcept { return learned_; }

    /// By name, for a search that goes on in another process.
    [[nodiscard]] std::vector<std::string> names() const;
    void expect(const std::vector<std::string>& names);

private:
    enum class knowledge : std::uint8_t { unasked, none, known };

    std::vector<knowledge> known_;       ///< by site id
    std::set<std::string> from_before_;  ///< names
    unsigned learned_ = 0;
};

}  // namespace ordeal::detail::graph
