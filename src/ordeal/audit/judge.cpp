// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/judge.hpp"

#include "ordeal/audit/searches.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>

namespace ordeal::detail {

namespace {

template <class T>
void add_once(std::vector<T>& all, T one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
}

// The limit for a search of this scenario that does not show that it holds.
limit bound_of(const scenario& what, const char* id, const std::string& why) {
    return {id, what.name + ": " + why, limit_effect::bounds};
}

void show(audited_order& order, const changed_search& shown) {
    std::vector<order_override> change = std::move(order.overrides);
    static_cast<shown_violation&>(order) = violation_of(*shown.what, *shown.result);
    order.overrides = std::move(change);
    order.verdict = order_verdict::required;
}

bool crosses(const search_result& result, const site& where) {
    const reached_site* const reached = find_reached(result, where);
    return reached != nullptr && reached->crossed;
}

std::string describe(const audited_order& weaker) {
    std::string text = std::string(to_string(weaker.tried)) + " -> ";
    switch (weaker.verdict) {
        case order_verdict::required: return text + std::string(to_string(*weaker.kind)) + " in " + weaker.scenario;
        case order_verdict::not_required: return text + "every scenario held";
        case order_verdict::vacuous: return text + "vacuous: " + weaker.note;
        case order_verdict::unexercised: return text + "unexercised";
        case order_verdict::undecided: return text + "undecided";
    }
    return text;
}

}  // namespace

shown_violation violation_of(const scenario& what, const search_result& result) {
    search_result shown = result;
    shown.simpler_may_exist = false;  // that there is a violation is what counts here
    return {.overrides = {},
            .scenario = what.name,
            .kind = result.kind,
            .message = result.message,
            .models = result.models,
            .limits = result.limits,
            .replay = result.replay,
            .trace = result.trace,
            .why = explain(what, shown)};
}

std::string joined(std::span<const std::string> parts) {
    std::vector<std::string> once;
    for (const std::string& part : parts) add_once(once, part);
    std::string text;
    for (const std::string& part : once) text += (text.empty() ? "" : "; ") + part;
    return text;
}

void add_limits(std::vector<limit>& limits, const scenario& what, const search_result& result) {
    if (result.stopped) add_once(limits, bound_of(what, "stopped", "stopped early"));
    switch (result.verdict) {
        case verdict::held:
            if (!result.complete) add_once(limits, bound_of(what, "cut-short", "cut short"));
            break;
        case verdict::held_within:
            for (const limit& each : result.limits) add_once(limits, each);
            if (result.limits.empty()) add_once(limits, bound_of(what, "bound", "bounded search"));
            break;
        case verdict::inconclusive:
            add_once(limits, bound_of(what, "inconclusive",
                                      "inconclusive" + (result.message.empty() ? "" : ", " + result.message)));
            break;
        case verdict::violated:
            add_once(limits,
                     bound_of(what, "violated", std::string(result.kind ? to_string(*result.kind) : "no kind given")));
            break;
    }
}

std::vector<limit> load_buffering_let_in(const search_result& written, const search_result& changed) {
    std::vector<limit> result;
    if (!has_held(written) || !has_held(changed)) return result;
    for (const limit& each : changed.limits) {
        const bool is_new = std::ranges::find(written.limits, each) == written.limits.end();
        if (each.id == "load-buffering" || (each.id == "load-buffering-by-letter" && is_new)) result.push_back(each);
    }
    return result;
}

bool hides_what_orders_forbid(const search_result& result) {
    return std::ranges::find(result.limits, "mixed-sizes", &limit::id) != result.limits.end();
}

audited_order judge_order(const site& where, order tried, const site_facts& facts,
                          std::span<const changed_search> searches) {
    audited_order result;
    result.tried = tried;
    result.overrides = {change_at(where, tried)};
    std::vector<limit> limits = facts.objections;
    for (const limit& each : facts.unseen) add_once(limits, each);
    bool crossed = facts.crossed;
    bool all_held = true;
    bool all_made = true;
    bool violated = false;
    for (const changed_search& each : searches) {
        if (each.result == nullptr) {
            all_made = false;
            continue;
        }
        ++result.searches;
        result.executions += each.result->executions;
        if (is_evidence(*each.result)) {
            if (!violated) show(result, each);
            violated = true;
            continue;
        }
        add_limits(limits, *each.what, *each.result);
        if (each.written != nullptr) {
            for (const limit& let_in : load_buffering_let_in(*each.written, *each.result)) add_once(limits, let_in);
        }
        all_held = all_held && has_held(*each.result);
        crossed = crossed || crosses(*each.result, where);
        // If the changed order was never in force, holding says nothing about it.
        if (has_held(*each.result) && find_reached(*each.result, where) == nullptr) {
            add_once(limits, bound_of(*each.what, "not-reached", "did not reach the changed site"));
        }
    }
    if (violated) return result;
    if (!all_made) {
        result.note = result.searches == 0 ? "not searched" : "no violation; not every scenario was searched";
    } else if (all_held && !crossed && (!searches.empty() || facts.objections.empty())) {
        result.verdict = order_verdict::unexercised;
    } else if (limits.empty()) {
        result.verdict = order_verdict::not_required;
    } else {
        result.note =
            (searches.empty() ? "not searched: " : "no violation; bounded by: ") + joined(sentences_of(limits));
    }
    return result;
}

void judge_site(audited_site& value, bool exercised) {
    const auto any = [&](order_verdict wanted) {
        return std::ranges::any_of(value.weaker, [&](const audited_order& each) { return each.verdict == wanted; });
    };
    if (any(order_verdict::not_required)) {
        value.verdict = site_verdict::stronger_than_needed;
    } else if (any(order_verdict::undecided)) {
        value.verdict = site_verdict::undecided;
    } else if (any(order_verdict::unexercised) || (value.weaker.empty() && !exercised)) {
        value.verdict = site_verdict::unexercised;
    } else {
        value.verdict = site_verdict::minimal;
    }
    note_orders(value, exercised);
}

void note_orders(audited_site& value, bool exercised) {
    if (value.weaker.empty()) {
        value.note = exercised ? "nothing weaker exists" : "no scenario has it meet another thread";
        return;
    }
    std::vector<std::string> parts;
    for (const audited_order& each : value.weaker) parts.push_back(describe(each));
    value.note = joined(parts);
}

}  // namespace ordeal::detail
