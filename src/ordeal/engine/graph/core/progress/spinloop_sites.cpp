// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/progress/spinloop_sites.hpp"

#include <cstddef>

namespace ordeal::detail::graph {

namespace {

std::string name_of(site_id site) { return to_string(sites().at(site).key) + "." + sites().at(site).operation; }

}  // namespace

bool spinloop_sites::knows(site_id site) {
    if (site >= known_.size()) known_.resize(2 * (site + std::size_t{1}));
    knowledge& here = known_[site];
    if (here == knowledge::unasked) {
        const bool known = !from_before_.empty() && from_before_.contains(name_of(site));
        here = known ? knowledge::known : knowledge::none;
    }
    return here == knowledge::known;
}

std::vector<std::string> spinloop_sites::names() const {
    std::vector<std::string> result(from_before_.begin(), from_before_.end());
    for (site_id site = 0; site < known_.size() && site < sites().size(); ++site) {
        if (known_[site] == knowledge::known) result.push_back(name_of(site));
    }
    return result;
}

void spinloop_sites::expect(const std::vector<std::string>& names) {
    from_before_.insert(names.begin(), names.end());
    known_.clear();
    ++learned_;
}

}  // namespace ordeal::detail::graph
