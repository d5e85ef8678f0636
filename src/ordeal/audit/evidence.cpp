// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/evidence.hpp"

#include "ordeal/audit/searches.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <array>

namespace ordeal::detail {

std::size_t evidence::index_of(const site& where) {
    const auto [place, added] = indices_.try_emplace({where.key, where.declared}, sites_.size());
    if (added) sites_.push_back(where);
    return place->second;
}

std::vector<site> evidence::reached_by(const scenario& what, bool crossed) const {
    std::vector<site> result;
    const auto found = facts_.find(&what);
    if (found == facts_.end()) return result;
    for (const fact& each : found->second) {
        for (const reached_site& reached : each.result.sites) {
            // A fence itself has no reads-from edges.
            const bool met = reached.crossed || reached.where.key.what == role::fence;
            if (reached.where.atomic && (met || !crossed)) merge_sites(result, {&reached.where, 1});
        }
    }
    return result;
}

namespace {

constexpr std::array positions{override_position::instead, override_position::before, override_position::after};

bool is_compare_exchange(const site_key& key) { return key.what == role::success || key.what == role::failure; }

// The fences of a compare-exchange belong to both its sites, whichever is named.
bool is_at(const order_override& change, const site& where) {
    const site_key& named = change.site;
    if (!adds_fence(change) || !is_compare_exchange(named) || !is_compare_exchange(where.key)) {
        return concerns(change, where);
    }
    return named.line == where.key.line && named.column == where.key.column && named.file == where.key.file;
}

order in_force_at(const site& where, override_position position, std::span<const order_override> changes) {
    const auto change = std::ranges::find_if(
        changes, [&](const order_override& one) { return one.position == position && is_at(one, where); });
    if (change != changes.end()) return change->replacement;
    return position == override_position::instead ? where.declared : order::relaxed;  // a relaxed fence is none
}

}  // namespace

std::vector<order> evidence::in_force(std::span<const order_override> changes) const {
    std::vector<order> result;
    result.reserve(positions.size() * sites_.size());
    for (const site& each : sites_) {
        for (const override_position position : positions) result.push_back(in_force_at(each, position, changes));
    }
    return result;
}

void evidence::add(const scenario& what, std::span<const order_override> changes, const search_result& result) {
    std::vector<std::size_t> reached;
    for (const reached_site& each : result.sites) {
        if (each.where.atomic) reached.push_back(index_of(each.where));
    }
    const std::vector<order> now = in_force(changes);
    fact fresh{orders(now.size()), result};
    for (const std::size_t each : reached) {
        const std::size_t first = positions.size() * each;
        std::copy_n(now.begin() + static_cast<std::ptrdiff_t>(first), positions.size(),
                    fresh.at.begin() + static_cast<std::ptrdiff_t>(first));
    }
    facts_[&what].push_back(std::move(fresh));
}

evidence::relation evidence::compare(const std::vector<order>& asked, const orders& known) {
    bool stronger_somewhere = false;
    bool weaker_somewhere = false;
    for (std::size_t i = 0; i != known.size(); ++i) {
        if (!known[i] || *known[i] == asked[i]) continue;
        if (weaker(asked[i], *known[i])) {
            weaker_somewhere = true;
        } else if (weaker(*known[i], asked[i])) {
            stronger_somewhere = true;
        } else {
            return relation::none;
        }
    }
    if (stronger_somewhere && weaker_somewhere) return relation::none;
    if (stronger_somewhere) return relation::stronger;
    return weaker_somewhere ? relation::weaker : relation::equal;
}

std::optional<evidence::finding> evidence::find(const scenario& what, std::span<const order_override> changes) {
    const auto found = facts_.find(&what);
    if (found == facts_.end()) return std::nullopt;
    const std::vector<order> asked = in_force(changes);
    std::optional<finding> implied;
    for (const fact& each : found->second) {
        switch (compare(asked, each.at)) {
            case relation::none: continue;
            case relation::equal: return finding{&each.result, true};
            case relation::weaker:
                if (!implied && is_evidence(each.result)) implied = {&each.result, false};
                break;
            case relation::stronger:
                if (!implied && has_held(each.result) && each.result.complete) implied = {&each.result, false};
                break;
        }
    }
    return implied;
}

}  // namespace ordeal::detail
