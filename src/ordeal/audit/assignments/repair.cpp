// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/assignments.hpp"

#include "ordeal/audit/assignments/assignment_trials.hpp"
#include "ordeal/audit/assignments/guided_repair.hpp"
#include "ordeal/audit/judge.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

// Finds the repairs of one subject.
class repair_search {
public:
    repair_search(audit_run& run, audited_subject& subject);

    /// All sites whose order may be part of a repair.
    [[nodiscard]] const std::vector<site>& sites() const noexcept { return sites_; }
    [[nodiscard]] std::string note() const { return joined(notes_); }

    std::vector<repair> find();

private:
    bool learn_sites();
    [[nodiscard]] std::vector<order_choice> choices() const;
    [[nodiscard]] std::vector<order_choice> fences() const;
    [[nodiscard]] std::string scope() const;
    std::optional<answer> try_strongest();
    std::vector<repair> find_guided();
    std::vector<repair> find_exhaustively();
    std::vector<repair> find_all(const std::vector<order_choice>& among);
    [[nodiscard]] bool is_small() const noexcept { return sites_.size() <= most_sites; }
    std::vector<repair> find_fences(std::size_t fewer_than);

    // With more sites, not all sets of changes are tried once repairs are known.
    static constexpr std::size_t most_sites = 16;
    static constexpr std::size_t most_searches_of_many = 64;

    audit_run& run_;
    audited_subject& subject_;
    std::vector<const audited_scenario*> witnesses_;
    std::size_t most_searches_ = run_.options.most_searches;
    bool cut_ = false;
    std::set<std::string> own_files_;
    bool everywhere_ = false;
    std::vector<site> sites_;
    std::vector<std::string> notes_;
};

repair_search::repair_search(audit_run& run, audited_subject& subject) : run_(run), subject_(subject) {
    for (const audited_site& each : subject.sites) {
        merge_sites(sites_, {&each.where, 1});
        own_files_.insert(each.where.key.file);
    }
    for (const audited_scenario& each : subject.scenarios) witnesses_.push_back(&each);
    // Violated scenarios first: they end a group soonest.
    std::ranges::sort(witnesses_, {}, [](const audited_scenario* each) {
        return std::tuple(each->result.verdict != verdict::violated, each->result.executions,
                          std::string_view(each->what->name));
    });
}

// A changed execution may reach new sites. Returns whether there are any.
bool repair_search::learn_sites() {
    const std::size_t known = sites_.size();
    for (const audited_scenario* witness : witnesses_) {
        for (const site& each : run_.known.reached_by(*witness->what, false)) {
            if (everywhere_ || own_files_.contains(each.key.file)) merge_sites(sites_, {&each, 1});
        }
    }
    return sites_.size() != known;
}

std::vector<order_choice> repair_search::choices() const {
    std::vector<order_choice> result;
    for (const site& each : sites_) {
        order_choice choice{.where = each, .orders = {each.declared}};
        std::ranges::copy(stronger_orders(each.key.what, each.declared), std::back_inserter(choice.orders));
        if (choice.orders.size() > 1) result.push_back(std::move(choice));
    }
    return result;
}

// A fence between two operations is placed before the second. Before a compare-exchange there is one position for both
// its sites.
std::vector<order_choice> repair_search::fences() const {
    std::vector<order_choice> result;
    for (const site& each : sites_) {
        if (each.key.what == role::fence || each.key.what == role::failure) continue;
        order_choice fence{.where = each, .orders = {order::relaxed}, .position = override_position::before};
        std::ranges::copy(stronger_orders(role::fence, order::relaxed), std::back_inserter(fence.orders));
        result.push_back(std::move(fence));
    }
    return result;
}

std::string repair_search::scope() const {
    std::set<std::string> files;
    for (const site& each : sites_) files.insert(each.key.file);
    std::string text = std::to_string(sites_.size()) + (sites_.size() == 1 ? " atomic site" : " atomic sites");
    if (everywhere_) text += " that its scenarios reach";
    const char* before = ", in ";
    for (const std::string& file : files) text += std::exchange(before, ", ") + file;
    return text;
}

// Tries the strongest order at every site, repeatedly while that reaches new sites. If that is violated, no choice of
// orders helps, and one search has shown it.
std::optional<answer> repair_search::try_strongest() {
    for (;;) {
        assignment_trials trials(run_, subject_, choices(), witnesses_, run_.options.most_searches);
        assignment strongest;
        for (const order_choice& each : trials.choices()) strongest.push_back(each.orders.back());
        const auto answers = trials.ask({&strongest, 1});
        if (!answers) return std::nullopt;
        if (answers->front() == answer::holds || !learn_sites()) return answers->front();
    }
}

std::vector<repair> repair_search::find_all(const std::vector<order_choice>& among) {
    assignment_trials trials(run_, subject_, among, witnesses_, most_searches_);
    std::vector<repair> result;
    for (const assignment& each : trials.find_minimal().found) {
        auto exactly = trials.ask_exactly(each);
        if (!exactly || exactly->says != answer::holds) continue;
        result.push_back({trials.changes(each), std::move(exactly->limits)});
    }
    std::ranges::sort(result, {}, [](const repair& each) { return std::tuple(each.changes.size(), each.changes); });
    if (run_.stopped) {
        notes_.emplace_back("search for repairs stopped early");
    } else if (trials.cut()) {
        cut_ = true;
        if (most_searches_ < run_.options.most_searches) return result;  // reported with the known repairs
        subject_.complete = false;
        notes_.emplace_back("not all changes were tried: the limit on searches was reached");
    }
    if (!trials.unknown().empty()) notes_.push_back("some changes were inconclusive (" + trials.unknown() + ")");
    return result;
}

// Adds new fences instead of stronger orders, if fewer fences suffice.
std::vector<repair> repair_search::find_fences(std::size_t fewer_than) {
    std::vector<repair> result = find_all(fences());
    std::erase_if(result, [&](const repair& each) { return each.changes.size() >= fewer_than; });
    return result;
}

void add_new(std::vector<repair>& known, std::vector<repair> more) {
    for (repair& each : more) {
        if (std::ranges::find(known, each.changes, &repair::changes) == known.end()) known.push_back(std::move(each));
    }
}

// The repairs that violations name; nothing if there are none.
std::vector<repair> repair_search::find_guided() {
    learn_sites();
    std::vector<repair> result =
        repair_by_counterexamples(run_, subject_, witnesses_, {.searches = run_.options.most_searches});
    learn_sites();
    return result;
}

std::vector<repair> repair_search::find_exhaustively() {
    auto result = find_all(choices());
    while (!run_.stopped && !cut_ && learn_sites()) result = find_all(choices());
    return result;
}

std::vector<repair> repair_search::find() {
    std::vector<repair> guided = find_guided();
    std::optional<answer> upper_bound = answer::fails;
    if (!guided.empty()) {
        upper_bound = answer::holds;
        if (!is_small()) most_searches_ = std::min(most_searches_, most_searches_of_many);
    } else if (!sites_.empty()) {
        upper_bound = try_strongest();
    }
    if (upper_bound == answer::fails) {
        everywhere_ = true;
        if (learn_sites()) upper_bound = try_strongest();
    }
    if (sites_.empty()) {
        notes_ = {"no memory order repairs it: its scenarios reach no atomic site"};
        return {};
    }
    if (upper_bound == answer::fails) {
        notes_ = {"no memory order repairs it: violated with every order at its strongest (" + scope() + ")"};
        return {};
    }
    if (upper_bound == answer::unknown) notes_.emplace_back("with every order at its strongest it was not decided");
    auto result = find_exhaustively();
    const bool exhaustive = !cut_ && !run_.stopped;
    if (!exhaustive) add_new(result, guided);
    std::size_t fewest = result.empty() ? sites_.size() + 1 : result.front().changes.size();
    if (exhaustive && fewest > 1) {
        auto fences = find_fences(fewest);
        result.insert(result.begin(), fences.begin(), fences.end());
    }
    std::ranges::sort(result, {}, [](const repair& each) { return std::tuple(each.changes.size(), each.changes); });
    if (!exhaustive && !guided.empty()) {
        notes_.emplace_back(
            "found from counterexamples: each change answers a violation, and none can be left out; "
            "not all other sets of changes were tried");
    } else if (exhaustive && !result.empty()) {
        notes_.emplace_back("these are all minimal repairs: every other set of changes was excluded");
    }
    notes_.push_back("searched for repairs: " + scope());
    return result;
}

// The weakest order of the site in any repair; null if it is part of none.
const order_override* part_of(const std::vector<repair>& repairs, const site& where, const repair*& whole) {
    const order_override* weakest = nullptr;
    for (const repair& each : repairs) {
        for (const order_override& part : each.changes) {
            if (adds_fence(part) || !concerns(part, where) ||
                (weakest != nullptr && !weaker(part.replacement, weakest->replacement)))
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
            if (find_site(subject, each) == nullptr) subject.sites.emplace_back().where = each;
        }
    }
    for (audited_site& each : subject.sites) judge_violated_site(each, subject.repairs);
}

}  // namespace ordeal::detail
