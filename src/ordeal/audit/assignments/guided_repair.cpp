// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/guided_repair.hpp"

#include "ordeal/audit/assignments/assignment_trials.hpp"
#include "ordeal/explain/explanation.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>
#include <utility>

namespace ordeal::detail {

namespace {

using change_list = std::vector<order_override>;  // by site, each once

bool is_same_place(const order_override& one, const order_override& other) {
    return one.site == other.site && one.declared == other.declared && one.position == other.position;
}

order both(order one, order other) {
    if (one == other || weaker(one, other)) return other;
    return weaker(other, one) ? one : order::acq_rel;
}

change_list with(change_list changes, const remedy& more) {
    for (const order_override& each : more) {
        const auto known =
            std::ranges::find_if(changes, [&](const order_override& other) { return is_same_place(each, other); });
        if (known == changes.end()) {
            changes.push_back(each);
        } else {
            known->replacement = both(known->replacement, each.replacement);
        }
    }
    std::ranges::sort(changes);
    return changes;
}

// Whether `more` has each change of `less`, or a stronger one.
bool is_part_of(const change_list& less, const change_list& more) {
    return std::ranges::all_of(less, [&](const order_override& each) {
        return std::ranges::any_of(more, [&](const order_override& other) {
            return is_same_place(each, other) && both(each.replacement, other.replacement) == other.replacement;
        });
    });
}

class guided_search {
public:
    guided_search(audit_run& run, audited_subject& subject, std::vector<const audited_scenario*> witnesses,
                  const guided_limits& limits)
        : run_(run), subject_(subject), witnesses_(std::move(witnesses)), limits_(limits), before_(subject.searches) {}

    std::vector<repair> find() {
        add({0, {}});
        while (!open_.empty() && !is_over()) {
            const node next = *open_.begin();
            open_.erase(open_.begin());
            if (is_above_one_found(next.changes)) continue;
            const auto answer = ask(next.changes);
            if (!answer) break;
            if (answer->says == answer::holds) {
                minimise(next.changes);
            } else if (answer->says == answer::fails) {
                follow(next, answer->shown);
            }
        }
        return std::move(found_);
    }

private:
    // The number of times that another remedy than the first was taken.
    struct node {
        std::size_t departures = 0;
        change_list changes;
        std::size_t number = 0;

        bool operator<(const node& other) const {
            return std::tuple(departures, changes.size(), number) <
                   std::tuple(other.departures, other.changes.size(), other.number);
        }
    };

    void add(node next) {
        if (!seen_.insert(next.changes).second) return;
        next.number = seen_.size();
        open_.insert(std::move(next));
    }

    [[nodiscard]] bool is_over() const {
        if (run_.stopped || cut_ || found_.size() >= limits_.repairs) return true;
        if (subject_.searches - before_ >= limits_.searches) return true;
        if (limits_.seconds <= 0) return false;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
        return spent.count() > limits_.seconds;
    }

    [[nodiscard]] bool is_above_one_found(const change_list& changes) const {
        return std::ranges::any_of(found_, [&](const repair& each) { return is_part_of(each.changes, changes); });
    }

    [[nodiscard]] std::optional<assignment_trials::exact_answer> ask(const change_list& changes) {
        std::vector<order_choice> choices;
        assignment wanted;
        for (const order_override& each : changes) {
            site where;
            where.key = each.site;
            where.atomic = true;
            where.declared = each.declared.value_or(order::relaxed);
            choices.push_back({.where = where, .orders = {each.replacement}, .position = each.position});
            wanted.push_back(each.replacement);
        }
        assignment_trials trials(run_, subject_, std::move(choices), witnesses_, limits_.searches);
        auto answer = trials.ask_exactly(wanted);
        if (!answer) {
            cut_ = true;
            return answer;
        }
        // A scenario that is violated now usually is so with the next changes, too.
        const auto place = std::ranges::find(witnesses_, answer->violated);
        if (place != witnesses_.end()) std::rotate(witnesses_.begin(), place, place + 1);
        return answer;
    }

    void follow(const node& from, const search_result& violated) {
        const std::vector<remedy> remedies = remedies_of(violated);
        for (std::size_t i = 0; i != remedies.size(); ++i) {
            change_list changes = with(from.changes, remedies[i]);
            if (changes != from.changes) add({from.departures + (i == 0 ? 0U : 1U), std::move(changes)});
        }
    }

    [[nodiscard]] bool holds(const change_list& changes) {
        const auto answer = ask(changes);
        return answer && answer->says == answer::holds;
    }

    // Removes changes that are not needed, then makes each as weak as possible.
    void minimise(change_list changes) {
        for (std::size_t i = changes.size(); i-- > 0 && changes.size() > 1;) {
            change_list fewer = changes;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (holds(fewer)) changes = std::move(fewer);
        }
        for (std::size_t i = 0; i != changes.size(); ++i) weaken(changes, i);
        const auto exactly = ask(changes);
        if (!exactly || exactly->says != answer::holds || is_above_one_found(changes)) return;
        found_.push_back({changes, exactly->limits});
    }

    void weaken(change_list& changes, std::size_t which) {
        const order_override change = changes[which];
        if (adds_fence(change) || !change.declared) return;
        for (const order each : stronger_orders(change.site.what, *change.declared)) {
            if (!weaker(each, change.replacement)) continue;
            change_list weakened = changes;
            weakened[which].replacement = each;
            if (!holds(weakened)) continue;
            changes = std::move(weakened);
            return;
        }
    }

    audit_run& run_;
    audited_subject& subject_;
    std::vector<const audited_scenario*> witnesses_;
    guided_limits limits_;
    std::uint64_t before_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::set<node> open_;
    std::set<change_list> seen_;
    bool cut_ = false;
    std::vector<repair> found_;
};

}  // namespace

std::vector<repair> repair_by_counterexamples(audit_run& run, audited_subject& subject,
                                              std::vector<const audited_scenario*> witnesses,
                                              const guided_limits& limits) {
    return guided_search(run, subject, std::move(witnesses), limits).find();
}

std::optional<repair> repair_of_violation(const audit_options& options, const scenario& what,
                                          const search_result& violated, double seconds) {
    if (!is_evidence(violated) || remedies_of(violated).empty()) return std::nullopt;
    audit_options how = options;
    how.search.resources.seconds =
        how.search.resources.seconds > 0 ? std::min(how.search.resources.seconds, seconds) : seconds;
    const progress_callback unwatched;
    audit_run run{.options = how, .on_progress = unwatched};
    run.known.add(what, {}, violated);
    audited_subject subject;
    subject.name = what.subject;
    subject.scenarios.push_back({.what = &what, .as_expected = false, .result = violated});
    constexpr std::size_t most_searches = 32;
    std::vector<repair> found = repair_by_counterexamples(
        run, subject, {&subject.scenarios.front()}, {.searches = most_searches, .repairs = 1, .seconds = seconds});
    if (found.empty() || leave_anything_out(found.front().limits)) return std::nullopt;
    return std::move(found.front());
}

}  // namespace ordeal::detail
