// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/junit/junit_parts.hpp"

#include "ordeal/report/escaped_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ordeal::detail {

// xml_text writes what an attribute needs, a line break between tags needs nothing.
std::string junit_text(const std::string& lines) {
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

void junit_counts::add(const junit_counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
}

std::string junit_counts::attributes() const {
    const std::string left_out = skipped == 0 ? "" : fmt::format(R"( skipped="{}")", skipped);
    return fmt::format(R"(tests="{}" failures="{}" errors="{}"{} time="{:.3f}")", tests, failures, errors, left_out,
                       seconds);
}

std::string junit_properties(const search_facts& facts) {
    std::string text = "      <properties>\n";
    for (const auto& [name, value] : facts) {
        text += fmt::format("        <property name=\"{}\" value=\"{}\"/>\n", xml_text(name), xml_text(value));
    }
    return text + "      </properties>\n";
}

void add_shortfalls(junit_suites& suites, const std::string& suite, const std::vector<shortfall>& values) {
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

void add_not_run(junit_suites& suites, const std::string& why) {
    if (why.empty()) return;
    suites["ordeal"] = {junit_counts{.tests = 1, .errors = 1},
                        fmt::format("    <testcase classname=\"ordeal\" name=\"every scenario runs\" time=\"0\">\n"
                                    "      <error type=\"not run\" message=\"{}\"/>\n    </testcase>\n",
                                    xml_text(why))};
}

std::string junit_document(const std::string& name, const junit_suites& suites, double seconds) {
    junit_counts all;
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

}  // namespace ordeal::detail
