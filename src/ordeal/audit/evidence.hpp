// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace ordeal::detail {

/// The results of the searches of one audit, and what follows from them for other orders.
///
/// A search depends only on the orders of the sites that it reached. So its result holds for every search with the same
/// orders at those sites. The memory models are monotone: a stronger order allows no execution that a weaker one
/// forbids (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017). So a
/// violation carries over to all orders that are no stronger at the sites that were reached, and holding to all that
/// are no weaker: sites that were not reached stay so.
class evidence {
public:
    /// Records the result of a search.
    void add(const scenario& what, std::span<const order_override> changes, const search_result& result);

    struct finding {
        const search_result* result = nullptr;  ///< valid until the next add()
        bool exact = false;                     ///< of a search with the same orders at all sites that it reached
    };
    /// The result for the scenario with these changes, an exact one if possible; a violation must be evidence on the
    /// code on trial.
    [[nodiscard]] std::optional<finding> find(const scenario& what, std::span<const order_override> changes);

    /// Every atomic site that some search reached.
    [[nodiscard]] const std::vector<site>& reached() const noexcept { return sites_; }
    /// The atomic sites that searches of this scenario reached, by location; with `crossed`, those where a value
    /// crossed threads.
    [[nodiscard]] std::vector<site> reached_by(const scenario& what, bool crossed) const;

private:
    // The orders in force at each reached site, and those of the fences added before and after it; nothing for other
    // sites. By slot: three for each site.
    using orders = std::vector<std::optional<order>>;
    struct fact {
        orders at;
        search_result result;
    };
    enum class relation : std::uint8_t { none, equal, weaker, stronger };

    std::size_t index_of(const site& where);
    [[nodiscard]] std::vector<order> in_force(std::span<const order_override> changes) const;
    [[nodiscard]] static relation compare(const std::vector<order>& asked, const orders& known);

    std::vector<site> sites_;
    std::map<std::tuple<site_key, order>, std::size_t> indices_;
    std::map<const scenario*, std::deque<fact>> facts_;
};

}  // namespace ordeal::detail
