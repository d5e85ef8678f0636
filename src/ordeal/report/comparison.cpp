// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/comparison.hpp"

#include "ordeal/report/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace ordeal::detail {

namespace {

constexpr std::array<std::string_view, 4> agreement_names{"agree", "explained", "not comparable", "failed"};

using outcome_list = std::vector<std::string>;

using limits = std::vector<limit>;

template <class Predicate>
limits named_in(const search_result& result, Predicate wanted) {
    limits found;
    std::ranges::copy_if(result.limits, std::back_inserter(found), wanted);
    return found;
}

limits false_alarm_limits(const search_result& result) { return named_in(result, may_raise_false_alarms); }
limits hiding_limits(const search_result& result) { return named_in(result, may_hide_executions); }

// What bounded a search that was not cut short: what was asked of it, or a limit of its own.
limits bounds_of(const search_result& result) {
    if (!result.complete) return {};
    return named_in(result, [](const limit& each) { return each.effect == limit_effect::bounds; });
}

bool is_violated(const search_result& result) { return result.verdict == verdict::violated; }
bool is_exact(const search_result& result) { return result.verdict == verdict::held && result.complete; }

// Why a result is no verdict on the code; nothing when it is one.
std::optional<std::string> no_verdict(const engine_result& says) {
    if (says.result.verdict == verdict::inconclusive) return says.result.message;
    if (says.result.stopped) return fmt::format("{} was stopped", says.engine);
    if (is_violated(says.result) && says.result.kind == violation_kind::time_out) {
        return fmt::format("{} came to no end in its time", says.engine);
    }
    return std::nullopt;
}

// A scenario that differs from run to run is no execution that a memory model allows or forbids.
bool is_of_the_model(const search_result& result) {
    return !is_violated(result) || result.kind != violation_kind::nondeterminism;
}

std::string listed(const outcome_list& outcomes) {
    std::string text;
    for (const std::string& each : outcomes) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", each);
    return text;
}

outcome_list outcomes_only_in(const search_result& these, const search_result& those) {
    outcome_list found;
    for (const auto& [outcome, executions] : these.outcomes) {
        if (!those.outcomes.contains(outcome)) found.push_back(outcome);
    }
    return found;
}

class comparing {
public:
    comparing(const scenario& what, const engine_result& one, const engine_result& other) : one_(one), other_(other) {
        result_.what = &what;
        result_.first = one.engine;
        result_.second = other.engine;
    }

    comparison run() {
        const bool same_kind = is_violated(one_.result) && is_violated(other_.result) && one_.result.kind &&
                               one_.result.kind == other_.result.kind;
        for (const engine_result* each : {&one_, &other_}) {
            const auto why = same_kind ? std::nullopt : no_verdict(*each);
            if (why) return conclude(agreement::not_comparable, *why);
        }
        if (same_kind) return conclude(agreement::agree, "");
        if (!is_of_the_model(one_.result) || !is_of_the_model(other_.result)) {
            return conclude(agreement::failed, "no limit of a model makes a scenario nondeterministic");
        }
        if (is_violated(one_.result) && is_violated(other_.result)) return other_kind();
        if (is_violated(one_.result)) return missed(one_, other_);
        if (is_violated(other_.result)) return missed(other_, one_);
        return outcomes();
    }

private:
    comparison conclude(agreement verdict, const std::string& why) {
        result_.verdict = verdict;
        result_.message =
            fmt::format("{}: {}, {}: {}", one_.engine, words(one_.result), other_.engine, words(other_.result)) +
            (why.empty() ? "" : "; " + why);
        return result_;
    }

    comparison explain(const engine_result& limited, limits by, const std::string& why) {
        result_.limited = limited.engine;
        result_.explained_by = std::move(by);
        return conclude(agreement::explained, why);
    }

    std::optional<comparison> false_alarm(const engine_result& says) {
        auto met = false_alarm_limits(says.result);
        if (met.empty()) return std::nullopt;
        return explain(says, std::move(met),
                       fmt::format("{} lets in executions that the memory model forbids", says.engine));
    }

    comparison other_kind() {
        if (auto explained = false_alarm(one_)) return *explained;
        if (auto explained = false_alarm(other_)) return *explained;
        return conclude(agreement::failed, "no limit explains the other kind");
    }

    // A violation that one engine found and the other did not.
    comparison missed(const engine_result& found, const engine_result& silent) {
        if (auto explained = false_alarm(found)) return *explained;
        if (auto hiding = hiding_limits(silent.result); !hiding.empty()) {
            return explain(silent, std::move(hiding),
                           fmt::format("{} leaves out executions of the memory model", silent.engine));
        }
        if (auto bounds = bounds_of(silent.result); !bounds.empty()) {
            result_.explained_by = std::move(bounds);
            return conclude(agreement::not_comparable, fmt::format("the search of {} was bounded", silent.engine));
        }
        return conclude(agreement::failed, silent.result.complete
                                               ? "no limit explains what was missed"
                                               : fmt::format("the search of {} was cut short, and no limit of its "
                                                             "model explains what it missed",
                                                             silent.engine));
    }

    comparison outcomes() {
        std::string notes;
        for (const auto& [seeing, exact] : {std::pair(&one_, &other_), std::pair(&other_, &one_)}) {
            if (!is_exact(exact->result)) continue;
            const outcome_list extra = outcomes_only_in(seeing->result, exact->result);
            if (!extra.empty()) {
                if (auto explained = false_alarm(*seeing)) return *explained;
                return conclude(agreement::failed, fmt::format("{} produced {}, which {} does not allow",
                                                               seeing->engine, listed(extra), exact->engine));
            }
            const outcome_list hidden = outcomes_only_in(exact->result, seeing->result);
            if (hidden.empty() || !seeing->result.complete || !bounds_of(seeing->result).empty()) continue;
            const std::string did_not = fmt::format("{} did not produce {}", seeing->engine, listed(hidden));
            result_.explained_by = hiding_limits(seeing->result);
            if (result_.explained_by.empty()) {
                return conclude(agreement::failed, did_not + ", and names no limit that hides it");
            }
            notes = did_not;
        }
        return conclude(agreement::agree, notes);
    }

    const engine_result& one_;
    const engine_result& other_;
    comparison result_;
};

}  // namespace

std::string_view to_string(agreement value) noexcept { return agreement_names[static_cast<std::size_t>(value)]; }

comparison compare(const scenario& what, const engine_result& one, const engine_result& other) {
    return comparing(what, one, other).run();
}

}  // namespace ordeal::detail
