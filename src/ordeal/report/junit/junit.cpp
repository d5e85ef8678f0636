// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/common_results.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

struct case_counts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
    double seconds = 0;

    void add(const case_counts& other);
    [[nodiscard]] std::string attributes() const;
};

/// Suites by name: what each counts, and its test cases.
using test_suites = std::map<std::string, std::pair<case_counts, std::string>>;

// The text between two tags: its lines stay lines. xml_text() writes what an attribute needs; a line break between tags
// needs nothing.
std::string element_text(const std::string& lines) {
    const std::string text = escaped_lines(lines);
    std::string result;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        result += xml_text(std::string_view(text).substr(from, end - from));
        if (end < text.size()) result += '\n';
        from = end + 1;
    }
    return result;
}

void case_counts::add(const case_counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
}

std::string case_counts::attributes() const {
    const std::string left_out = skipped == 0 ? "" : fmt::format(R"( skipped="{}")", skipped);
    return fmt::format(R"(tests="{}" failures="{}" errors="{}"{} time="{:.3f}")", tests, failures, errors, left_out,
                       seconds);
}

std::string properties(const named_values& facts) {
    std::string text = "      <properties>\n";
    for (const auto& [name, value] : facts) {
        text += fmt::format("        <property name=\"{}\" value=\"{}\"/>\n", xml_text(name), xml_text(value));
    }
    return text + "      </properties>\n";
}

void add_shortfalls(test_suites& suites, const std::string& suite, const std::vector<shortfall>& values) {
    for (const shortfall& value : values) {
        auto& [sum, cases] = suites[suite];
        ++sum.tests;
        ++sum.failures;
        cases += fmt::format(
            "    <testcase classname=\"{}.{}\" name=\"{}\" time=\"0\">\n"
            "      <failure type=\"not decided\" message=\"{}\"/>\n    </testcase>\n",
            xml_text(suite), xml_text(value.of), xml_text(value.element.empty() ? value.of : value.element),
            xml_text(value.why));
    }
}

void add_not_run(test_suites& suites, const std::string& why) {
    if (why.empty()) return;
    suites["ordeal"] = {case_counts{.tests = 1, .errors = 1},
                        fmt::format("    <testcase classname=\"ordeal\" name=\"every scenario runs\" time=\"0\">\n"
                                    "      <error type=\"not run\" message=\"{}\"/>\n    </testcase>\n",
                                    xml_text(why))};
}

std::string document(const std::string& name, const test_suites& suites, double seconds) {
    case_counts all;
    std::string text;
    for (const auto& [of, content] : suites) {
        const auto& [counts, cases] = content;
        all.add(counts);
        text +=
            fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml_text(of), counts.attributes(), cases);
    }
    all.seconds = seconds;
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n{}</testsuites>\n",
                       name, all.attributes(), text);
}

std::string evidence(const checked_scenario& checked) {
    std::string text = conclusion_text(*checked.what, checked.result, checked.why, text_style());
    text += fmt::format("expected {}\n", words(checked.what->expected));
    if (checked.result.verdict == verdict::violated) {
        text += trace_text(*checked.what, checked.result, checked.why, text_style(), trace_detail::all);
        text += replay_line(checked) + '\n';
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
    text += properties(facts_of(result, how));
    if (!checked.as_expected && !checked.explained) {
        const std::string message = unexpected_verdict_text(checked.what->expected, result);
        text += fmt::format(R"(      <{0} type="{1}" message="{2}">{3}</{0}>)"
                            "\n",
                            problem_of(checked),
                            xml_text(result.kind ? to_string(*result.kind) : to_string(result.verdict)),
                            xml_text(message), element_text(evidence(checked)));
    }
    if (!result.limits.empty()) {
        text += fmt::format("      <system-out>{}</system-out>\n", element_text(limit_lines(result.limits)));
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
        says += limit_lines(made.explained_by);
        text += fmt::format("      <system-out>{}</system-out>\n", element_text(says));
    }
    return text + "    </testcase>\n";
}

void count(case_counts& sum, const checked_scenario& checked) {
    ++sum.tests;
    sum.seconds += checked.result.seconds;
    if (checked.as_expected || checked.explained) return;
    ++(checked.result.verdict == verdict::inconclusive ? sum.errors : sum.failures);
}

// `inside` is empty, or lines with their own tags.
std::string test_case(const std::string& subject, const std::string& name, double seconds, const std::string& inside) {
    return fmt::format("    <testcase classname=\"audit.{}\" name=\"{}\" time=\"{:.3f}\">\n{}    </testcase>\n",
                       xml_text(subject), xml_text(name), seconds, inside);
}

std::string printed(const std::string& text) {
    return text.empty() ? "" : fmt::format("      <system-out>{}</system-out>\n", element_text(text));
}

std::string failed(std::string_view tag, std::string_view type, const std::string& message, const std::string& text) {
    return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", tag, xml_text(type), xml_text(message),
                       element_text(text));
}

void add_scenario(test_suites::mapped_type& suite, const audited_subject& subject, const audited_scenario& each,
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
    cases +=
        test_case(subject.name, each.what->name, each.result.seconds,
                  properties(facts_of(each.result, report.how)) + inside + printed(limit_lines(each.result.limits)));
}

void add_site(test_suites::mapped_type& suite, const audited_subject& subject, const audited_site& each) {
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
        fmt::format("{} {} {}", short_place(where.key), operation_of(where), to_string(where.declared));
    cases += test_case(subject.name, name, 0, inside);
}

void add_comparison(test_suites& suites, const audited_subject& subject, const baseline_comparison& made) {
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
void add_lost(test_suites& suites, const audit_report& report) {
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

class junit_writer final : public report_format {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "junit"; }
    [[nodiscard]] std::string_view about() const noexcept override { return "Write JUnit XML"; }
    [[nodiscard]] std::string check(const check_report& report, const report_context& /*with*/) const override {
        test_suites suites;
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
        add_not_run(suites, why_not_all_ran(report));
        return document("ordeal check", suites, report.seconds);
    }
    [[nodiscard]] std::string audit(const audit_report& report, const report_context& /*with*/) const override {
        test_suites suites;
        for (const audited_subject& subject : report.subjects) {
            auto& suite = suites["audit." + subject.name];
            for (const audited_scenario& each : subject.scenarios) add_scenario(suite, subject, each, report);
            for (const audited_site& each : subject.sites) add_site(suite, subject, each);
            if (report.baseline) add_comparison(suites, subject, *report.baseline);
        }
        if (report.baseline) add_lost(suites, report);
        if (report.strict) add_shortfalls(suites, "strict", *report.strict);
        if (report.require_complete) add_shortfalls(suites, "complete", cut_short_of(report));
        const bool empty = report.subjects.empty();
        add_not_run(suites, report.stopped ? "stopped early" : empty ? "nothing ran" : "");
        return document("ordeal audit", suites, report.seconds);
    }
};

}  // namespace

const report_format& junit_format() {
    static const junit_writer it;
    return it;
}

}  // namespace ordeal::detail
