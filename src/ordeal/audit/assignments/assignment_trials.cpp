// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/assignment_trials.hpp"

#include "ordeal/audit/judge.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <utility>

namespace ordeal::detail {

namespace {

// Whether orders other than the declared ones permit load buffering.
bool lets_in_load_buffering(const audited_scenario& witness, const search_result& result,
                            std::span<const order_override> changes) {
    return !changes.empty() && !load_buffering_let_in(witness.result, result).empty();
}

// In some way: it need not be stronger in none.
bool is_weaker(order now, order declared) {
    return (acquires(declared) && !acquires(now)) || (releases(declared) && !releases(now)) ||
           (declared == order::seq_cst && now != order::seq_cst);
}

}  // namespace

assignment_trials::assignment_trials(audit_run& run, audited_subject& subject, std::vector<order_choice> choices,
                                     std::vector<const audited_scenario*> witnesses, std::size_t limit)
    : run_(run), subject_(subject), choices_(std::move(choices)), witnesses_(std::move(witnesses)), limit_(limit) {}

assignment assignment_trials::written() const {
    assignment result;
    for (const order_choice& each : choices_) result.push_back(each.written());
    return result;
}

std::vector<order_override> assignment_trials::changes(const assignment& what) const {
    std::vector<order_override> result;
    for (std::size_t i = 0; i != what.size(); ++i) {
        if (what[i] == choices_[i].written()) continue;
        result.push_back(change_at(choices_[i].where, what[i]));
        result.back().position = choices_[i].position;
    }
    return result;
}

assignment_trials::question assignment_trials::question_of(const assignment& what) const {
    question result;
    result.changes = changes(what);
    for (std::size_t i = 0; i != what.size(); ++i) result.weakens |= is_weaker(what[i], choices_[i].written());
    return result;
}

answer assignment_trials::meaning_of(const audited_scenario& witness, const search_result& result, const question& of) {
    if (is_evidence(result) || lets_in_load_buffering(witness, result, of.changes)) return answer::fails;
    const bool is_blind = of.weakens && hides_what_orders_forbid(result);
    if (has_held(result) && !result.stopped && !is_blind) return answer::holds;
    if (unknown_.empty()) {
        std::vector<limit> limits;
        add_limits(limits, *witness.what, result);
        unknown_ = limits.empty() ? "not searched" : limits.back().sentence;
    }
    return answer::unknown;
}

void assignment_trials::look_up(question& asked, bool exactly) {
    for (const audited_scenario* witness : witnesses_) {
        const auto known = run_.known.find(*witness->what, asked.changes);
        const bool lets_in = known && lets_in_load_buffering(*witness, *known->result, asked.changes);
        // Results from weaker orders may permit load buffering that these orders do not.
        const bool stands = known && (known->exact || !lets_in);
        if (!stands || (exactly && !known->exact)) {
            asked.open.push_back(witness);
            continue;
        }
        ++(known->exact ? subject_.repeated : subject_.implied);
        asked.says = meaning_of(*witness, *known->result, asked);
        if (asked.says == answer::holds) continue;
        asked.open.clear();
        return;
    }
}

void assignment_trials::conclude(const search_batch& batch, question& asked) {
    for (std::size_t i = 0; i != asked.searches.size(); ++i) {
        const auto& result = batch.result(asked.searches[i]);
        const audited_scenario& witness = *asked.open[i];
        // Searches after the first that did not hold are ignored: how far they got depends on the number of processes.
        if (!result) {
            asked.says = answer::unknown;
            return;
        }
        ++searches_;
        account(subject_, *result);
        run_.known.add(*witness.what, asked.changes, *result);
        asked.says = meaning_of(witness, *result, asked);
        if (asked.says == answer::holds) continue;
        const auto place = std::ranges::find(witnesses_, &witness);
        std::rotate(witnesses_.begin(), place, place + 1);
        return;
    }
}

bool assignment_trials::search(std::span<question> questions) {
    search_batch batch;
    for (std::size_t group = 0; group != questions.size(); ++group) {
        for (const audited_scenario* who : questions[group].open) {
            questions[group].searches.push_back(batch.add(group, *who->what, questions[group].changes));
        }
    }
    if (batch.size() == 0) return !run_.stopped;
    if (searches_ >= limit_) {
        cut_ = true;
        return false;
    }
    batch.run(run_, [](const search_result& result) { return !has_held(result); });
    for (question& each : questions) conclude(batch, each);
    return !run_.stopped;
}

std::optional<std::vector<answer>> assignment_trials::ask(std::span<const assignment> assignments) {
    std::vector<question> questions(assignments.size());
    for (std::size_t i = 0; i != assignments.size(); ++i) {
        questions[i] = question_of(assignments[i]);
        look_up(questions[i], false);
    }
    if (!search(questions)) return std::nullopt;
    std::vector<answer> result;
    for (const question& each : questions) result.push_back(each.says);
    return result;
}

minimal_assignments assignment_trials::find_minimal() {
    std::vector<std::vector<order>> allowed;
    for (const order_choice& each : choices_) allowed.push_back(each.orders);
    return detail::find_minimal(allowed, [this](std::span<const assignment> asked) { return ask(asked); });
}

std::optional<assignment_trials::exact_answer> assignment_trials::ask_exactly(const assignment& what) {
    question asked = question_of(what);
    look_up(asked, true);
    if (!search({&asked, 1})) return std::nullopt;
    exact_answer result;
    result.says = asked.says;
    for (const audited_scenario* witness : witnesses_) {
        const auto known = run_.known.find(*witness->what, asked.changes);
        if (!known || !known->exact) continue;
        if (is_evidence(*known->result)) {
            result.violated = witness;
            result.shown = *known->result;
            return result;
        }
        add_limits(result.limits, *witness->what, *known->result);
    }
    return result;
}

}  // namespace ordeal::detail
