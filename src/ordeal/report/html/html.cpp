// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/html/html_page.hpp"
#include "ordeal/report/json/json_parts.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/source_line.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ordeal::detail {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t whole_up_to = 1000;  // lines
constexpr std::size_t around = 20;         // lines before and after one that is referred to

using places = std::map<std::string, std::set<std::size_t>>;

void collect(const ordered_json& value, places& found) {
    if (value.is_object()) {
        const auto file = value.find("file");
        const auto line = value.find("line");
        if (file != value.end() && line != value.end() && file->is_string() && line->is_number_unsigned()) {
            found[file->get<std::string>()].insert(line->get<std::size_t>());
        }
    }
    if (!value.is_structured()) return;
    for (const ordered_json& each : value) collect(each, found);
}

ordered_json part_of(const std::vector<std::string>& lines, std::size_t first, std::size_t last) {
    ordered_json text = ordered_json::array();
    for (std::size_t i = first; i <= last; ++i) text.push_back(lines[i - 1]);
    return {{"first", first}, {"lines", std::move(text)}};
}

ordered_json parts_of(const std::vector<std::string>& lines, const std::set<std::size_t>& wanted) {
    ordered_json parts = ordered_json::array();
    if (lines.size() <= whole_up_to) {
        parts.push_back(part_of(lines, 1, lines.size()));
        return parts;
    }
    std::size_t first = 0;
    std::size_t last = 0;
    for (const std::size_t line : wanted) {
        if (line == 0 || line > lines.size()) continue;
        if (first != 0 && line > last + around) {
            parts.push_back(part_of(lines, first, last));
            first = 0;
        }
        if (first == 0) first = line > around ? line - around : 1;
        last = std::min(line + around, lines.size());
    }
    if (first != 0) parts.push_back(part_of(lines, first, last));
    return parts;
}

// The source that a report refers to, by the "file" and "line" of its objects: each file whole, or of a long one the
// lines around those. Files that cannot be read are left out. By file: its number of lines, and parts, each with the
// number of its first line.
ordered_json source_excerpts(const ordered_json& report) {
    places found;
    collect(report, found);
    source_lines sources;
    ordered_json result = ordered_json::object();
    for (const auto& [file, wanted] : found) {
        const std::vector<std::string>& lines = sources.of(file);
        if (lines.empty()) continue;
        result[file] = {{"count", lines.size()}, {"parts", parts_of(lines, wanted)}};
    }
    return result;
}

// A page reads a key that is not there as null.
void drop_nulls(ordered_json& value) {
    if (value.is_object()) {
        for (auto each = value.begin(); each != value.end();) {
            each = each->is_null() ? value.erase(each) : std::next(each);
        }
    }
    if (!value.is_structured()) return;
    for (ordered_json& each : value) drop_nulls(each);
}

// Nothing in it ends the element that it stands in: `<` occurs within strings only, which may have it escaped.
std::string element_text(const ordered_json& value) {
    const std::string plain = escaped_json(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    std::string text;
    text.reserve(plain.size());
    for (const char each : plain) {
        if (each == '<') {
            text += "\\u003c";
        } else {
            text += each;
        }
    }
    return text;
}

void append(std::string& text, std::span<const std::string_view> pieces) {
    for (const std::string_view each : pieces) text += each;
}

// The policy refuses every request, whatever stands in the page.
constexpr std::string_view head =
    "<!doctype html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

std::string page(const char* command, ordered_json report, const report_context& with) {
    drop_nulls(report);
    ordered_json asked = ordered_json::array();
    for (const auto& [name, value] : with.asked) asked.push_back({name, value});
    ordered_json sources = source_excerpts(report);
    const ordered_json data{{"command", command},
                            {"program", called_as()},
                            {"asked", std::move(asked)},
                            {"report", std::move(report)},
                            {"sources", std::move(sources)}};
    const html_page_parts parts = html_page();
    std::string text(head);
    text.append("<title>ordeal ").append(command).append("</title>\n<style>");
    append(text, parts.style);
    text +=
        "</style>\n</head>\n<body>\n<noscript>This report is drawn by the script in it, which is switched off here. "
        "The report itself is the JSON below; --json writes it alone.</noscript>\n"
        "<div id=\"page\"></div>\n<script type=\"application/json\" id=\"data\">";
    text += element_text(for_readers(data));
    text += "</script>\n<script>";
    append(text, parts.script);
    text += "</script>\n</body>\n</html>\n";
    return text;
}

class html_writer final : public report_format {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "html"; }
    [[nodiscard]] std::string_view about() const noexcept override {
        return "Write an HTML report, one file for a browser";
    }
    [[nodiscard]] std::string obstacle() const override {
        if (!html_page().script.empty()) return {};
        return "this program was built without HTML reports; install node and npm (ci/deps.sh does), and configure and "
               "build it again with ORDEAL_HTML=ON";
    }
    [[nodiscard]] bool has(report_kind which) const noexcept override { return which != report_kind::list; }
    [[nodiscard]] std::string check(const check_report& report, const report_context& with) const override {
        return page("check", check_document(report), with);
    }
    [[nodiscard]] std::string replay(const replay_report& report, const report_context& with) const override {
        return page("replay", replay_document(report), with);
    }
    [[nodiscard]] std::string stress(const stress_report& report, const report_context& with) const override {
        return page("stress", stress_document(report), with);
    }
    [[nodiscard]] std::string audit(const audit_report& report, const report_context& with) const override {
        ordered_json document = audit_document(report, with.token_of);
        add_traces(document, report);
        return page("audit", std::move(document), with);
    }
};

}  // namespace

const report_format& html_format() {
    static const html_writer it;
    return it;
}

}  // namespace ordeal::detail
