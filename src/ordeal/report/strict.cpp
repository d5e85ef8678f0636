// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/strict.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace ordeal::detail {

namespace {

// "held within: the search was ended ...", "undecided: ...".
std::string with_reason(std::string_view what, const std::string& why) {
    return why.empty() ? std::string(what) : fmt::format("{}: {}", what, why);
}

std::string sentences(const std::vector<limit>& limits) {
    std::string result;
    for (const limit& each : limits) {
        if (each.effect == limit_effect::assumes) continue;  // held stays held
        result += (result.empty() ? "" : "; ") + each.sentence;
    }
    return result;
}

// Why a search does not speak of every execution; nothing when it does, or has shown a violation.
std::optional<std::string> shortfall_of(const search_result& result) {
    switch (result.verdict) {
        case verdict::violated: return std::nullopt;
        case verdict::inconclusive: return with_reason("inconclusive", result.message);
        case verdict::held_within: return with_reason("held within", sentences(result.limits));
        case verdict::held: break;
    }
    if (result.stopped) return "stopped early";
    if (!result.complete) return "not searched to its end";
    return std::nullopt;
}

bool is_open(order_verdict value) {
    return value == order_verdict::undecided || value == order_verdict::unexercised || value == order_verdict::vacuous;
}
bool is_open(site_verdict value) {
    return value == site_verdict::undecided || value == site_verdict::unexercised || value == site_verdict::vacuous;
}

class audit_shortfalls {
public:
    explicit audit_shortfalls(const audited_subject& subject) : subject_(subject) {}

    std::vector<shortfall> find() && {
        for (const audited_scenario& each : subject_.scenarios) {
            if (auto why = shortfall_of(each.result)) add("scenario " + each.what->name, std::move(*why));
        }
        const bool folds = folds_never_run(subject_);
        std::size_t never_run = 0;
        for (const audited_site& each : subject_.sites) {
            if (folds && never_runs(each)) {
                never_run += each.weaker.empty() ? 0 : 1;
            } else {
                add_site(each);
            }
        }
        if (never_run > 0) add(counted(never_run, "site"), "never run");
        for (const joint_table& each : subject_.joint) add_joint(each);
        for (std::size_t i = 0; i != subject_.repairs.size(); ++i) {
            add_limits(fmt::format("repair {}", i + 1), subject_.repairs[i].limits);
        }
        // A search among many that no verdict above shows: a repair that was not found, say.
        if (!subject_.complete) add("", with_reason("not complete", subject_.note));
        return std::move(found_);
    }

private:
    void add(std::string element, std::string why) {
        found_.push_back({subject_.name, std::move(element), std::move(why)});
    }
    void add_limits(const std::string& element, const std::vector<limit>& limits) {
        if (leave_anything_out(limits)) add(element, with_reason("held within", sentences(limits)));
    }

    void add_site(const audited_site& value) {
        const site& where = value.where;
        const std::string name =
            fmt::format("{} {}{} {}", short_place(where.key), where.function.empty() ? "" : where.function + "() ",
                        operation_of(where), to_string(where.declared));
        if (value.weaker.empty() && value.verdict == site_verdict::unexercised) return;  // nothing to decide
        if (is_open(value.verdict)) {
            add(name, with_reason(to_string(value.verdict), value.note));
            return;
        }
        for (const audited_order& each : value.weaker) {
            if (!is_open(each.verdict)) continue;
            add(fmt::format("{}, {} in its place", name, to_string(each.tried)),
                with_reason(to_string(each.verdict), each.note));
        }
    }

    void add_joint(const joint_table& value) {
        if (!value.complete) add("minimal assignments", with_reason("perhaps not all", value.note));
        for (std::size_t i = 0; i != value.minimal.size(); ++i) {
            add_limits(fmt::format("minimal assignment {}", i + 1), value.minimal[i].limits);
        }
    }

    const audited_subject& subject_;
    std::vector<shortfall> found_;
};

}  // namespace

std::vector<shortfall> shortfalls_of(const audit_report& report) {
    std::vector<shortfall> result;
    for (const audited_subject& subject : report.subjects) {
        std::ranges::move(audit_shortfalls(subject).find(), std::back_inserter(result));
    }
    return result;
}

std::vector<shortfall> shortfalls_of(const check_report& report) {
    std::vector<shortfall> result;
    for (const checked_scenario& each : report.scenarios) {
        if (auto why = shortfall_of(each.result)) {
            result.push_back({each.what->name, "with " + each.engine, std::move(*why)});
        }
    }
    return result;
}

std::vector<shortfall> cut_short_of(const check_report& report) {
    std::vector<shortfall> result;
    for (const checked_scenario& each : report.scenarios) {
        if (!was_cut_short(each.result)) continue;
        result.push_back({each.what->name, "with " + each.engine, shortfall_of(each.result).value_or("cut short")});
    }
    return result;
}

std::vector<shortfall> cut_short_of(const audit_report& report) {
    std::vector<shortfall> result;
    for (const audited_subject& subject : report.subjects) {
        if (report.stopped || subject.complete) continue;
        const std::size_t before = result.size();
        for (const audited_scenario& each : subject.scenarios) {
            if (!was_cut_short(each.result)) continue;
            result.push_back(
                {subject.name, "scenario " + each.what->name, shortfall_of(each.result).value_or("cut short")});
        }
        if (result.size() == before) result.push_back({subject.name, "", "not every search was made to its end"});
    }
    return result;
}

std::string cut_short_words(std::span<const shortfall> cut, const search_options& how, bool required) {
    if (cut.empty()) return {};
    const std::string by = how.resources.seconds > 0 ? fmt::format(" by the {}", budget_words(how)) : "";
    return fmt::format("{} cut short{}{}.", cut.size(), by,
                       required ? ", which --require-complete does not let pass" : "");
}

std::string words(const shortfall& value) {
    return fmt::format("{}: {}{}{}", value.of, value.element, value.element.empty() ? "" : ": ", value.why);
}

std::string strict_text(std::span<const shortfall> values, const text_style& style) {
    if (values.empty())
        return style.good("Strict: nothing is undecided, unexercised, held within or not complete.") + '\n';
    std::string text =
        style.bad(fmt::format("Strict: {} not decided for every execution.",
                              values.size() == 1 ? "1 point is" : fmt::format("{} points are", values.size()))) +
        '\n';
    for (const shortfall& each : values) text += indented(words(each), 2);
    return text;
}

}  // namespace ordeal::detail
