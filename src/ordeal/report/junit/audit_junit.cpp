// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/junit/junit.hpp"
#include "ordeal/report/junit/junit_parts.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/audit_parts.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ordeal {

namespace {

using detail::junit_counts;
using detail::junit_suites;
using detail::junit_text;
using detail::xml_text;

// `inside` is empty, or lines with their own tags.
std::string test_case(const std::string& subject, const std::string& name, double seconds, const std::string& inside) {
    return fmt::format("    <testcase classname=\"audit.{}\" name=\"{}\" time=\"{:.3f}\">\n{}    </testcase>\n",
                       xml_text(subject), xml_text(name), seconds, inside);
}

std::string printed(const std::string& text) {
    return text.empty() ? "" : fmt::format("      <system-out>{}</system-out>\n", junit_text(text));
}

std::string failed(std::string_view tag, std::string_view type, const std::string& message, const std::string& text) {
    return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", tag, xml_text(type), xml_text(message),
                       junit_text(text));
}

void add_scenario(junit_suites::mapped_type& suite, const audited_subject& subject, const audited_scenario& each,
                  const audit_report& report) {
    const bool known = report.baseline.has_value();
    auto& [sum, cases] = suite;
    ++sum.tests;
    sum.seconds += each.result.seconds;
    std::string inside;
    const std::string message = unexpected_verdict_text(each.what->expected, each.result);
    if (!each.as_expected && !known) {
        const bool unclear = each.result.verdict == verdict::inconclusive;
        ++(unclear ? sum.errors : sum.failures);
        inside = failed(unclear ? "error" : "failure",
                        each.result.kind ? to_string(*each.result.kind) : to_string(each.result.verdict), message,
                        each.result.message);
    } else if (!each.as_expected) {
        inside = printed(message + ", as in the file compared with\n");
    }
    cases += test_case(subject.name, each.what->name, each.result.seconds,
                       detail::junit_properties(detail::facts_of(each.result, report.how)) + inside +
                           printed(detail::limit_lines(each.result.limits)));
}

void add_site(junit_suites::mapped_type& suite, const audited_subject& subject, const audited_site& each) {
    auto& [sum, cases] = suite;
    ++sum.tests;
    std::string inside;
    const std::string says = fmt::format("{}: {}", to_string(each.verdict), each.note);
    if (each.verdict == site_verdict::undecided || each.verdict == site_verdict::vacuous ||
        each.verdict == site_verdict::unexercised) {
        ++sum.skipped;
        inside = fmt::format("      <skipped message=\"{}\"/>\n", xml_text(says));
    } else {
        inside = printed(says + '\n');
    }
    const site& where = each.where;
    const std::string name =
        fmt::format("{} {} {}", detail::short_place(where.key), detail::operation_of(where), to_string(where.declared));
    cases += test_case(subject.name, name, 0, inside);
}

void add_comparison(junit_suites& suites, const audited_subject& subject, const baseline_comparison& made) {
    auto& [sum, cases] = suites["baseline"];
    ++sum.tests;
    std::string text;
    std::size_t count = 0;
    for (const baseline_difference& each : made.differences) {
        if (each.subject != subject.name) continue;
        text += each.sentence + '\n';
        ++count;
    }
    if (count != 0) ++sum.failures;
    const std::string inside =
        count == 0 ? "" : failed("failure", "baseline", fmt::format("not as in {}", made.file), text);
    cases += test_case(subject.name, "as in the earlier report", 0, inside);
}

// A subject that only the file has.
void add_lost(junit_suites& suites, const audit_report& report) {
    for (const baseline_difference& each : report.baseline->differences) {
        bool audited = false;
        for (const audited_subject& subject : report.subjects) audited |= subject.name == each.subject;
        if (audited) continue;
        auto& [sum, cases] = suites["baseline"];
        ++sum.tests;
        ++sum.failures;
        cases += test_case(each.subject, "as in the earlier report", 0,
                           failed("failure", "baseline", each.sentence, each.sentence));
    }
}

}  // namespace

std::string audit_junit(const audit_report& report) {
    junit_suites suites;
    for (const audited_subject& subject : report.subjects) {
        auto& suite = suites["audit." + subject.name];
        for (const audited_scenario& each : subject.scenarios) {
            add_scenario(suite, subject, each, report);
        }
        for (const audited_site& each : subject.sites) add_site(suite, subject, each);
        if (report.baseline) add_comparison(suites, subject, *report.baseline);
    }
    if (report.baseline) add_lost(suites, report);
    if (report.strict) add_shortfalls(suites, "strict", *report.strict);
    if (report.require_complete) add_shortfalls(suites, "complete", cut_short_of(report));
    const bool empty = report.subjects.empty();
    add_not_run(suites, report.stopped ? "stopped early" : empty ? "nothing ran" : "");
    return detail::junit_document("ordeal audit", suites, report.seconds);
}

}  // namespace ordeal
