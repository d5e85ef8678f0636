// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace ordeal::detail::graph {

/// The places where a search has found loops: there the states of threads are compared, which is dear.
class spinloop_sites {
public:
    [[nodiscard]] bool knows(site_id site);
    /// A loop may have come back here.
    void add(site_id site) {
        known_[site] = knowledge::known;
        ++learned_;
    }

    /// The header of a loop at this code address: whether a thread was there in the state of an earlier iteration,
    /// memory aside. Elsewhere only the first iterations of a loop are compared with all of memory, and only the first
    /// headers of a thread: most loops that call functions count in some way that nobody sees.
    [[nodiscard]] bool knows_header(std::uintptr_t code) const { return headers_.contains(code); }
    void add_header(std::uintptr_t code) { learned_ += headers_.insert(code).second ? 1 : 0; }
    static constexpr unsigned most_iterations_compared_elsewhere = 8;
    static constexpr unsigned most_starts_compared_elsewhere = 64;  ///< by one thread in one run

    /// So often any were added. What a run has taken of states before is not what it would take now.
    [[nodiscard]] unsigned learned() const noexcept { return learned_; }

    /// By name, for a search that goes on in another process.
    [[nodiscard]] std::vector<std::string> names() const;
    void expect(const std::vector<std::string>& names);

private:
    enum class knowledge : std::uint8_t { unasked, none, known };

    std::unordered_set<std::uintptr_t> headers_;
    std::vector<knowledge> known_;       ///< by site id
    std::set<std::string> from_before_;  ///< names
    unsigned learned_ = 0;
};

}  // namespace ordeal::detail::graph
