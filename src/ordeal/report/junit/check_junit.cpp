// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/junit/junit.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/junit/junit_parts.hpp"
#include "ordeal/report/limit_text.hpp"
#include "ordeal/report/replay_line.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>

#include <vector>

namespace ordeal {

namespace {

using detail::counted;
using detail::junit_counts;
using detail::junit_text;
using detail::xml_text;

std::string evidence(const checked_scenario& checked) {
    const explanation why = explain(*checked.what, checked.result);
    std::string text = conclusion_text(*checked.what, checked.result, why, text_style());
    text += fmt::format("expected {}\n", words(checked.what->expected));
    if (checked.result.verdict == verdict::violated) {
        text += trace_text(*checked.what, checked.result, why, text_style(), trace_detail::all);
        text += detail::replay_line(checked) + '\n';
    }
    return text;
}

// "failure" for a verdict, "error" where there is none.
std::string_view problem_of(const checked_scenario& checked) {
    return checked.result.verdict == verdict::inconclusive ? "error" : "failure";
}

std::string test_case(const checked_scenario& checked, const search_options& how) {
    const search_result& result = checked.result;
    std::string text = fmt::format(R"(    <testcase classname="{}.{}" name="{}" time="{:.3f}">)"
                                   "\n",
                                   xml_text(checked.engine), xml_text(checked.what->subject),
                                   xml_text(checked.what->name), result.seconds);
    text += detail::junit_properties(detail::facts_of(result, how));
    if (!checked.as_expected && !checked.explained) {
        const std::string message = unexpected_verdict_text(checked.what->expected, result);
        text += fmt::format(R"(      <{0} type="{1}" message="{2}">{3}</{0}>)"
                            "\n",
                            problem_of(checked),
                            xml_text(result.kind ? to_string(*result.kind) : to_string(result.verdict)),
                            xml_text(message), junit_text(evidence(checked)));
    }
    if (!result.limits.empty()) {
        text += fmt::format("      <system-out>{}</system-out>\n", junit_text(detail::limit_lines(result.limits)));
    }
    return text + "    </testcase>\n";
}

std::string test_case(const comparison& made) {
    std::string text = fmt::format("    <testcase classname=\"comparison.{}\" name=\"{}\" time=\"0\">\n",
                                   xml_text(made.what->subject), xml_text(made.what->name));
    if (made.verdict == agreement::failed) {
        text += fmt::format("      <failure type=\"engines disagree\" message=\"{}\"/>\n", xml_text(made.message));
    } else {
        std::string says = fmt::format("{}: {}\n", to_string(made.verdict), made.message);
        says += detail::limit_lines(made.explained_by);
        text += fmt::format("      <system-out>{}</system-out>\n", junit_text(says));
    }
    return text + "    </testcase>\n";
}

void count(junit_counts& sum, const checked_scenario& checked) {
    ++sum.tests;
    sum.seconds += checked.result.seconds;
    if (checked.as_expected || checked.explained) return;
    ++(checked.result.verdict == verdict::inconclusive ? sum.errors : sum.failures);
}

std::string not_run(const check_report& report) {
    if (report.stopped_early) return fmt::format("stopped early: {} not begun", counted(report.not_begun, "scenario"));
    return report.scenarios.empty() ? "nothing ran" : "";
}

}  // namespace

std::string check_junit(const check_report& report) {
    detail::junit_suites suites;
    for (const checked_scenario& checked : report.scenarios) {
        auto& [sum, cases] = suites[checked.engine + '.' + checked.what->subject];
        count(sum, checked);
        cases += test_case(checked, report.how);
    }
    for (const comparison& made : report.comparisons) {
        auto& [sum, cases] = suites["comparison." + made.what->subject];
        ++sum.tests;
        if (made.verdict == agreement::failed) ++sum.failures;
        cases += test_case(made);
    }
    if (report.strict) add_shortfalls(suites, "strict", *report.strict);
    if (report.require_complete) add_shortfalls(suites, "complete", cut_short_of(report));
    add_not_run(suites, not_run(report));
    return detail::junit_document("ordeal check", suites, report.seconds);
}

}  // namespace ordeal
