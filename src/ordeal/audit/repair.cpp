// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/repair.hpp"

#include "ordeal/audit/change_attempts.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

std::span<const order> stronger(const site& where) { return stronger_orders(where.key.what, where.declared); }

class repair_search {
public:
    repair_search(audit_run& run, audited_subject& subject) : run_(run), attempts_(run, subject) {}

    std::vector<repair> find();
    [[nodiscard]] const std::string& note() const noexcept { return note_; }
    [[nodiscard]] const std::vector<site>& sites() const noexcept { return attempts_.sites(); }

private:
    effect try_strongest();
    std::vector<change> single_changes() const;
    std::vector<change> pair_changes();

    audit_run& run_;
    change_attempts attempts_;
    std::string note_;
};

// Every site at its strongest order, again while that shows sites not seen before. Violated even so, no choice of
// orders helps, and one search has said it.
effect repair_search::try_strongest() {
    for (;;) {
        change all;
        for (const site& each : sites()) {
            if (!stronger(each).empty()) all.push_back(change_at(each, stronger(each).back()));
        }
        if (all.empty()) return effect::fails;
        const std::size_t known = attempts_.reached();
        const auto tried = attempts_.run({std::move(all)});
        if (tried.empty()) return effect::unknown;
        if (tried.front().result == effect::repairs || attempts_.reached() == known) return tried.front().result;
    }
}

std::vector<change> repair_search::single_changes() const {
    std::vector<change> result;
    for (const site& each : sites()) {
        for (const order replacement : stronger(each)) result.push_back({change_at(each, replacement)});
    }
    return result;
}

// The pairs that repair at their strongest orders, in all their orders.
std::vector<change> repair_search::pair_changes() {
    const std::vector<site> all = sites();
    std::vector<change> strongest;
    std::vector<std::pair<site, site>> pairs;
    for (std::size_t i = 0; i != all.size(); ++i) {
        for (std::size_t j = i + 1; j != all.size(); ++j) {
            if (stronger(all[i]).empty() || stronger(all[j]).empty()) continue;
            pairs.emplace_back(all[i], all[j]);
            strongest.push_back(
                {change_at(all[i], stronger(all[i]).back()), change_at(all[j], stronger(all[j]).back())});
        }
    }
    const auto tried = attempts_.run(std::move(strongest));
    std::vector<change> result;
    for (std::size_t i = 0; i != tried.size(); ++i) {
        if (tried[i].result == effect::fails) continue;
        const auto& [left, right] = pairs[i];
        for (const order first : stronger(left)) {
            for (const order second : stronger(right))
                result.push_back({change_at(left, first), change_at(right, second)});
        }
    }
    return result;
}

// Whether `less` changes the same sites, each at most as much, one of them less.
bool is_smaller(const change& less, const change& more) {
    if (less.size() != more.size() || less == more) return false;
    for (std::size_t i = 0; i != less.size(); ++i) {
        const bool at_most =
            less[i].replacement == more[i].replacement || weaker(less[i].replacement, more[i].replacement);
        if (less[i].site != more[i].site || less[i].declared != more[i].declared || !at_most) return false;
    }
    return true;
}

std::vector<repair> minimal_repairs(const std::vector<tried_change>& tried) {
    std::vector<repair> result;
    for (const tried_change& each : tried) {
        if (each.result != effect::repairs) continue;
        const bool minimal = std::ranges::none_of(tried, [&](const tried_change& other) {
            return other.result == effect::repairs && is_smaller(other.what, each.what);
        });
        if (minimal) result.push_back({each.what, each.limits});
    }
    return result;
}

// Why the first change that neither repairs nor fails does not; empty when there is none.
std::string first_unknown(const std::vector<tried_change>& tried) {
    const auto found = std::ranges::find(tried, effect::unknown, &tried_change::result);
    if (found == tried.end()) return {};
    return found->limits.empty() ? "not searched" : found->limits.back().sentence;
}

std::vector<repair> repair_search::find() {
    if (sites().empty()) {
        note_ = "it has no site of its own that could be strengthened";
        return {};
    }
    const effect upper_bound = try_strongest();
    if (upper_bound == effect::fails) {
        note_ = "no strengthening of memory orders repairs it: violated with every site at its strongest order";
        return {};
    }
    auto tried = attempts_.run(single_changes());
    std::string unknown = first_unknown(tried);
    auto result = minimal_repairs(tried);
    if (result.empty() && !run_.stopped) {
        tried = attempts_.run(pair_changes());
        if (unknown.empty()) unknown = first_unknown(tried);
        result = minimal_repairs(tried);
        if (result.empty()) note_ = "no strengthening of one site or two was seen to repair it";
        if (result.empty() && upper_bound == effect::repairs) note_ += "; all sites at their strongest order do";
    }
    const auto add_note = [&](const std::string& text) { note_ += (note_.empty() ? "" : "; ") + text; };
    if (run_.stopped) {
        add_note("search for repairs stopped early");
    } else if (!unknown.empty()) {
        add_note("some changes were inconclusive (" + unknown + ")");
    }
    if (attempts_.cut()) add_note("not all changes were tried: the limit on searches for repairs was reached");
    return result;
}

// The weakest order of the site in any repair; empty when it is part of none.
const order_override* part_of(const std::vector<repair>& repairs, const site& where, const repair*& whole) {
    const order_override* weakest = nullptr;
    for (const repair& each : repairs) {
        for (const order_override& part : each.changes) {
            if (!concerns(part, where) || (weakest != nullptr && !weaker(part.replacement, weakest->replacement)))
                continue;
            weakest = &part;
            whole = &each;
        }
    }
    return weakest;
}

void judge_violated_site(audited_site& value, const std::vector<repair>& repairs) {
    const repair* whole = nullptr;
    const order_override* const part = part_of(repairs, value.where, whole);
    if (part == nullptr) {
        value.verdict = site_verdict::undecided;
        value.note = "the subject is violated as written, and this site is part of no repair";
        if (repairs.empty()) value.note += " found";
        return;
    }
    value.verdict = site_verdict::too_weak;
    value.stronger = part->replacement;
    value.note = std::string(to_string(part->replacement)) + " repairs the subject";
    for (const order_override& other : whole->changes) {
        if (concerns(other, value.where)) continue;
        value.note += ", together with " + std::string(to_string(other.replacement)) + " at " + other.site.file + ":" +
                      std::to_string(other.site.line);
        if (other.site == value.where.key) value.note += " in place of " + std::string(to_string(*other.declared));
    }
}

}  // namespace

void find_repairs(audit_run& run, audited_subject& subject) {
    if (run.stopped) {
        subject.note = "repairs not searched";
        subject.complete = false;
    } else if (std::ranges::all_of(subject.scenarios, [](const audited_scenario& each) {
                   return each.result.verdict != verdict::violated || !is_evidence(each.result);
               })) {
        subject.note = "repairs not searched: the violation is not one that memory orders decide";
    } else {
        repair_search search(run, subject);
        subject.repairs = search.find();
        subject.note = search.note();
        if (run.stopped) subject.complete = false;
        for (const site& each : search.sites()) {
            const bool known = std::ranges::any_of(
                subject.sites, [&](const audited_site& have) { return same_site(have.where, each); });
            if (!known) subject.sites.emplace_back().where = each;
        }
    }
    for (audited_site& each : subject.sites) judge_violated_site(each, subject.repairs);
}

}  // namespace ordeal::detail
