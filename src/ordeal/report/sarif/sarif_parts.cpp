// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/sarif/sarif_parts.hpp"

#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/runtime/standard_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_fixes = 6;  // of a subject; the JSON report has all

bool is_one(const site& left, const site& right) { return left.key == right.key && left.declared == right.declared; }

std::string_view line_of(std::string_view text, std::uint32_t line) {
    for (; line > 1 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

// SARIF counts UTF-16 code units, the patch counts bytes of UTF-8.
std::size_t units_before(std::string_view line, std::size_t column) {
    std::size_t units = 0;
    for (const char c : line.substr(0, column - 1)) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0) != 0x80) ++units;  // a character begins
        if (byte >= 0xf0) ++units;           // one that takes two units
    }
    return units;
}

ordered_json replacement_of(const file_patch& patch, const text_edit& edit) {
    const std::size_t begin = 1 + units_before(line_of(patch.before, edit.line), edit.column);
    return {{"deletedRegion",
             {{"startLine", edit.line},
              {"startColumn", begin},
              {"endLine", edit.line},
              {"endColumn", begin + edit.removed.size()}}},  // of ASCII
            {"insertedContent", {{"text", edit.inserted}}}};
}

std::string name_of(const source_fix& fix) {
    return fmt::format("{} {}", fix.repairs ? "repair" : "minimal assignment", fix.number);
}

std::string words_of(const site_change& change) {
    return fmt::format("{} {} -> {}", operation_of(change.where), to_string(change.where.declared),
                       to_string(change.replacement));
}

ordered_json json_of_fix(const source_fix& fix) {
    ordered_json changes = ordered_json::array();
    for (const file_patch& each : fix.patch.files) {
        ordered_json replacements = ordered_json::array();
        for (const text_edit& edit : each.edits) replacements.push_back(replacement_of(each, edit));
        changes.push_back({{"artifactLocation", artifact_of(each.file)}, {"replacements", std::move(replacements)}});
    }
    std::string text = name_of(fix);
    const char* before = ": ";
    for (const site_change& each : fix.changes) text += std::exchange(before, ", ") + words_of(each);
    return {{"description", {{"text", text}}}, {"artifactChanges", std::move(changes)}};
}

}  // namespace

bool has_location(const site& where) { return where.key.line != 0 && !is_standard_header(where.key.file); }

ordered_json artifact_of(const std::string& file) {
    std::string uri;
    for (const char c : file) {
        constexpr std::string_view marks = "/-._~+";
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = std::isalnum(byte) != 0 || marks.find(c) != std::string_view::npos;
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    if (file.starts_with('/')) return {{"uri", "file://" + uri}};
    return {{"uri", uri}, {"uriBaseId", "SRCROOT"}};
}

ordered_json location_of(const site& where, const std::string& says) {
    ordered_json region{{"startLine", where.key.line}};
    if (where.key.column > 0) region["startColumn"] = where.key.column;
    ordered_json location{
        {"physicalLocation", {{"artifactLocation", artifact_of(where.key.file)}, {"region", std::move(region)}}}};
    if (!says.empty()) location["message"] = {{"text", says}};
    return location;
}

std::string fingerprint_of(const audited_subject& subject, const audited_site& audited) {
    const auto name = [&](const site& where) {
        return fmt::format("{}|{}|{}|{}|{}|{}", subject.name, where.key.file, where.function, where.operation,
                           to_string(where.key.what), to_string(where.declared));
    };
    std::string result = name(audited.where);
    const auto alike = std::ranges::count_if(subject.sites, [&](const audited_site& each) {
        return each.where.key < audited.where.key && name(each.where) == result;
    });
    return fmt::format("{}|{}", result, alike + 1);
}

std::vector<source_fix> fixes_of(const audited_subject& subject) {
    std::vector<bool> wanted(subject.verdict == verdict::violated ? subject.repairs.size() : 0, true);
    if (subject.verdict != verdict::violated) {
        for (const joint_table& table : subject.joint) {
            for (const joint_assignment& each : table.minimal) wanted.push_back(each.weaker);
        }
    }
    std::vector<source_fix> result;
    for (std::size_t i = 0; i != wanted.size() && result.size() != most_fixes; ++i) {
        if (wanted[i]) result.push_back(find_fix(subject, i + 1));
    }
    return result;
}

void add_fixes(ordered_json& result, const audited_site& audited, const std::vector<source_fix>& fixes) {
    ordered_json whole = ordered_json::array();
    ordered_json related = ordered_json::array();
    for (const source_fix& fix : fixes) {
        const bool concerned = std::ranges::any_of(
            fix.changes, [&](const site_change& each) { return is_one(each.where, audited.where); });
        if (!concerned) continue;
        if (!fix.patch.files.empty()) whole.push_back(json_of_fix(fix));
        for (const site_change& each : fix.changes) {
            if (is_one(each.where, audited.where) || !has_location(each.where)) continue;
            related.push_back(location_of(each.where, name_of(fix) + ", together with: " + words_of(each)));
        }
    }
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    if (!whole.empty()) result["fixes"] = std::move(whole);
}

}  // namespace ordeal::detail
