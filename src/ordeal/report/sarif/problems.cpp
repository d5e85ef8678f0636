// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/sarif/sarif_parts.hpp"

#include <fmt/format.h>

namespace ordeal::detail {

namespace {

// "src/a%20b.hpp" -> "src/a b.hpp"
std::string file_of(std::string uri) {
    constexpr std::string_view scheme = "file://";
    if (uri.starts_with(scheme)) uri.erase(0, scheme.size());
    std::string file;
    for (std::size_t i = 0; i != uri.size(); ++i) {
        if (uri[i] == '%') {
            file += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            file += uri[i];
        }
    }
    return file;
}

std::string place_of(const ordered_json& result) {
    if (!result.contains("locations")) return "ordeal";
    const ordered_json& place = result.at("locations").at(0).at("physicalLocation");
    const ordered_json& region = place.at("region");
    // Where an instruction has no column, it is the line that is meant.
    return fmt::format("{}:{}:{}", file_of(place.at("artifactLocation").at("uri")),
                       region.at("startLine").get<unsigned>(), region.value("startColumn", 1U));
}

std::string line(const ordered_json& finding) {
    const std::string where = place_of(finding);
    const auto level = finding.at("level").get<std::string>();
    const auto words = finding.at("message").at("text").get<std::string>();
    return escaped(fmt::format("{}: {}: {}", where, level, words)) + '\n';
}

std::string lines(const ordered_json& log) {
    std::string text;
    const ordered_json& run = log.at("runs").at(0);
    for (const ordered_json& each : run.at("results")) text += line(each);
    for (const ordered_json& each :
         run.at("invocations").at(0).value("toolExecutionNotifications", ordered_json::array())) {
        text += line(each);
    }
    return escaped_lines(text);
}

class problems_writer final : public report_format {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "problems"; }
    [[nodiscard]] std::string_view about() const noexcept override {
        return "Write each finding as FILE:LINE:COLUMN: error: WORDS, for editors";
    }
    [[nodiscard]] std::string check(const check_report& report, const report_context& /*with*/) const override {
        return lines(check_log(report));
    }
    [[nodiscard]] std::string audit(const audit_report& report, const report_context& with) const override {
        return lines(audit_log(report, with.token_of));
    }
};

}  // namespace

const report_format& problems_format() {
    static const problems_writer it;
    return it;
}

}  // namespace ordeal::detail
