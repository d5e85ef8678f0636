// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/junit.hpp"

#include "ordeal/report/limit_text.hpp"
#include "ordeal/report/replay_line.hpp"
#include "ordeal/report/table.hpp"
#include "ordeal/report/trace_text.hpp"
#include "ordeal/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace ordeal {

namespace {

using detail::counted;
using detail::xml_text;

// The lines of a text stay lines: xml_text writes what an attribute needs, a line break between tags needs nothing.
std::string element_text(const std::string& text) {
    std::string result;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        result += xml_text(std::string_view(text).substr(from, end - from));
        if (end < text.size()) result += '\n';
        from = end + 1;
    }
    return result;
}

std::string evidence(const checked_scenario& checked) {
    std::string text = verdict_text(checked.result, text_style());
    text += fmt::format("expected {}\n", words(checked.what->expected));
    if (checked.result.verdict == verdict::violated) {
        text += trace_text(*checked.what, checked.result, text_style());
        text += detail::replay_line(checked) + '\n';
    }
    return text;
}

// "failure" for a verdict, "error" where there is none.
std::string_view problem_of(const checked_scenario& checked) {
    return checked.result.verdict == verdict::inconclusive ? "error" : "failure";
}

std::string test_case(const checked_scenario& checked) {
    const search_result& result = checked.result;
    std::string text = fmt::format(R"(    <testcase classname="{}.{}" name="{}" time="{:.3f}">)"
                                   "\n",
                                   xml_text(checked.engine), xml_text(checked.what->subject),
                                   xml_text(checked.what->name), result.seconds);
    if (!checked.as_expected && !checked.explained) {
        const std::string message = fmt::format("{}, expected {}", words(result), words(checked.what->expected));
        text += fmt::format(R"(      <{0} type="{1}" message="{2}">{3}</{0}>)"
                            "\n",
                            problem_of(checked),
                            xml_text(result.kind ? to_string(*result.kind) : to_string(result.verdict)),
                            xml_text(message), element_text(evidence(checked)));
    }
    if (!result.limits.empty()) {
        text += fmt::format("      <system-out>{}</system-out>\n", element_text(detail::limit_lines(result.limits)));
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
        text += fmt::format("      <system-out>{}</system-out>\n", element_text(says));
    }
    return text + "    </testcase>\n";
}

struct counts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    double seconds = 0;

    void add(const checked_scenario& checked) {
        ++tests;
        seconds += checked.result.seconds;
        if (!checked.as_expected && !checked.explained)
            ++(checked.result.verdict == verdict::inconclusive ? errors : failures);
    }
    void add(const counts& other) {
        tests += other.tests;
        failures += other.failures;
        errors += other.errors;
    }
    [[nodiscard]] std::string attributes() const {
        return fmt::format(R"(tests="{}" failures="{}" errors="{}" time="{:.3f}")", tests, failures, errors, seconds);
    }
};

std::string suite(const std::string& name, const counts& sum, const std::string& cases) {
    return fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml_text(name), sum.attributes(), cases);
}

// What did not run must not read as success.
std::string not_run(const check_report& report) {
    if (report.stopped_early) return fmt::format("stopped early: {} not begun", counted(report.not_begun, "scenario"));
    return report.scenarios.empty() ? "nothing ran" : "";
}

}  // namespace

std::string check_junit(const check_report& report) {
    std::map<std::string, std::pair<counts, std::string>> suites;
    for (const checked_scenario& checked : report.scenarios) {
        auto& [sum, cases] = suites[checked.engine + '.' + checked.what->subject];
        sum.add(checked);
        cases += test_case(checked);
    }
    for (const comparison& made : report.comparisons) {
        auto& [sum, cases] = suites["comparison." + made.what->subject];
        ++sum.tests;
        if (made.verdict == agreement::failed) ++sum.failures;
        cases += test_case(made);
    }
    if (const std::string why = not_run(report); !why.empty()) {
        suites["ordeal"] = {counts{.tests = 1, .errors = 1},
                            fmt::format("    <testcase classname=\"ordeal\" name=\"every scenario runs\" time=\"0\">\n"
                                        "      <error type=\"not run\" message=\"{}\"/>\n    </testcase>\n",
                                        xml_text(why))};
    }
    counts all;
    std::string text;
    for (const auto& [name, content] : suites) {
        all.add(content.first);
        text += suite(name, content.first, content.second);
    }
    all.seconds = report.seconds;
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ordeal check\" {}>\n{}"
        "</testsuites>\n",
        all.attributes(), text);
}

}  // namespace ordeal
