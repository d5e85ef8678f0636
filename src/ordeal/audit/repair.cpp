// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/repair.hpp"

#include "ordeal/audit/judge.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

using change = std::vector<order_override>;

enum class effect { repairs, fails, unknown };

struct tried_change {
    change what;
    effect result = effect::unknown;
    std::vector<std::string> limits;
};

std::span<const order> stronger(const site& where) { return stronger_orders(where.key.what, where.declared); }

class repair_search {
public:
    repair_search(audit_run& run, audited_subject& subject) : run_(run), subject_(subject) {
        for (const audited_site& each : subject.sites) merge_sites(sites_, {&each.where, 1});
        // Those that are violated first: they end a trial soonest.
        for (const audited_scenario& each : subject.scenarios) scenarios_.push_back(&each);
        std::ranges::sort(scenarios_, {}, [](const audited_scenario* each) {
            return std::tuple(each->result.verdict != verdict::violated, each->result.executions,
                              std::string_view(each->what->name));
        });
    }

    std::vector<repair> find();
    [[nodiscard]] const std::string& note() const noexcept { return note_; }
    [[nodiscard]] const std::vector<site>& sites() const noexcept { return sites_; }

private:
    std::vector<tried_change> run_all(std::vector<change> changes);
    effect judge(const search_batch& batch, std::size_t first, std::vector<std::string>& limits);
    void learn_sites(const search_result& result);
    effect try_strongest();
    std::vector<change> single_changes() const;
    std::vector<change> pair_changes();

    audit_run& run_;
    audited_subject& subject_;
    std::vector<const audited_scenario*> scenarios_;
    std::vector<site> sites_;
    std::size_t spent_ = 0;
    bool cut_ = false;
    std::string note_;
};

// A changed execution may go where none went before.
void repair_search::learn_sites(const search_result& result) {
    for (const reached_site& reached : result.sites) {
        const bool in_a_known_file =
            std::ranges::any_of(sites_, [&](const site& known) { return known.key.file == reached.where.key.file; });
        if (reached.where.atomic && in_a_known_file) merge_sites(sites_, {&reached.where, 1});
    }
}

effect repair_search::judge(const search_batch& batch, std::size_t first, std::vector<std::string>& limits) {
    effect result = effect::repairs;
    for (std::size_t i = 0; i != scenarios_.size(); ++i) {
        const auto& made = batch.result(first + i);
        if (!made) {
            if (result == effect::repairs) result = effect::unknown;
            continue;
        }
        account(subject_, *made);
        learn_sites(*made);
        add_limits(limits, *scenarios_[i]->what, *made);
        if (is_evidence(*made)) {
            result = effect::fails;
        } else if ((!has_held(*made) || made->stopped) && result == effect::repairs) {
            result = effect::unknown;
        }
    }
    return result;
}

std::vector<tried_change> repair_search::run_all(std::vector<change> changes) {
    if (changes.size() > run_.options.repair_searches - spent_) {
        cut_ = true;
        changes.resize(run_.options.repair_searches - spent_);
    }
    spent_ += changes.size();
    search_batch batch;
    for (std::size_t group = 0; group != changes.size(); ++group) {
        for (const audited_scenario* each : scenarios_) batch.add(group, *each->what, changes[group]);
    }
    batch.run(run_, [](const search_result& result) { return !has_held(result); });
    std::vector<tried_change> result;
    for (std::size_t group = 0; group != changes.size(); ++group) {
        tried_change tried{.what = std::move(changes[group]), .result = effect::unknown, .limits = {}};
        tried.result = judge(batch, group * scenarios_.size(), tried.limits);
        result.push_back(std::move(tried));
    }
    return result;
}

// Every site at its strongest order, again while that shows sites not seen before. Violated even so, no choice of
// orders helps, and one search has said it.
effect repair_search::try_strongest() {
    for (;;) {
        change all;
        for (const site& each : sites_) {
            if (!stronger(each).empty()) all.push_back({each.key, stronger(each).back()});
        }
        if (all.empty()) return effect::fails;
        const std::size_t known = sites_.size();
        const auto tried = run_all({std::move(all)});
        if (tried.empty()) return effect::unknown;
        if (tried.front().result != effect::fails || sites_.size() == known) return tried.front().result;
    }
}

std::vector<change> repair_search::single_changes() const {
    std::vector<change> result;
    for (const site& each : sites_) {
        for (const order replacement : stronger(each)) result.push_back({{each.key, replacement}});
    }
    return result;
}

// The pairs that repair at their strongest orders, in all their orders.
std::vector<change> repair_search::pair_changes() {
    std::vector<change> strongest;
    std::vector<std::pair<site, site>> pairs;
    for (std::size_t i = 0; i != sites_.size(); ++i) {
        for (std::size_t j = i + 1; j != sites_.size(); ++j) {
            if (stronger(sites_[i]).empty() || stronger(sites_[j]).empty()) continue;
            if (sites_[i].key == sites_[j].key) continue;  // one place, passed its order: an override changes both
            pairs.emplace_back(sites_[i], sites_[j]);
            strongest.push_back(
                {{sites_[i].key, stronger(sites_[i]).back()}, {sites_[j].key, stronger(sites_[j]).back()}});
        }
    }
    const auto tried = run_all(std::move(strongest));
    std::vector<change> result;
    for (std::size_t i = 0; i != tried.size(); ++i) {
        if (tried[i].result == effect::fails) continue;
        const auto& [left, right] = pairs[i];
        for (const order first : stronger(left)) {
            for (const order second : stronger(right)) result.push_back({{left.key, first}, {right.key, second}});
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
        if (less[i].site != more[i].site || !at_most) return false;
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
    return found->limits.empty() ? "not searched" : found->limits.back();
}

std::vector<repair> repair_search::find() {
    if (sites_.empty()) {
        note_ = "it has no site of its own that could be strengthened";
        return {};
    }
    const effect upper_bound = try_strongest();
    if (upper_bound == effect::fails) {
        note_ = "no strengthening of memory orders repairs it: violated with every site at its strongest order";
        return {};
    }
    auto tried = run_all(single_changes());
    std::string unknown = first_unknown(tried);
    auto result = minimal_repairs(tried);
    if (result.empty() && !run_.stopped) {
        tried = run_all(pair_changes());
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
    if (cut_) add_note("not all changes were tried: the limit on searches for repairs was reached");
    return result;
}

// The weakest order of the site in any repair; empty when it is part of none.
const order_override* part_of(const std::vector<repair>& repairs, const site_key& key, const repair*& whole) {
    const order_override* weakest = nullptr;
    for (const repair& each : repairs) {
        for (const order_override& part : each.changes) {
            if (part.site != key || (weakest != nullptr && !weaker(part.replacement, weakest->replacement))) continue;
            weakest = &part;
            whole = &each;
        }
    }
    return weakest;
}

void judge_violated_site(audited_site& value, const std::vector<repair>& repairs) {
    const repair* whole = nullptr;
    const order_override* const part = part_of(repairs, value.where.key, whole);
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
        if (other.site == value.where.key) continue;
        value.note += ", together with " + std::string(to_string(other.replacement)) + " at " + other.site.file + ":" +
                      std::to_string(other.site.line);
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
