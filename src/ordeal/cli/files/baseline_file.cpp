// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/files/files.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/report/baseline.hpp"
#include "ordeal/report/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ordeal::detail {

namespace {

std::string content_of(const std::string& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    // An empty file sets the bit of the target too.
    if (!in || in.bad() || (text.fail() && in.peek() != std::ifstream::traits_type::eof()) || errno == EISDIR) {
        const std::string why = std::generic_category().message(errno != 0 ? errno : EIO);
        throw command_error(exit_code::usage, fmt::format("cannot read the baseline '{}': {}", file, why));
    }
    return std::move(text).str();
}

// A subject is audited by what all its scenarios show: some of them show something else.
void require_all_scenarios(const baseline_audit& kept, const std::string& file,
                           std::span<const scenario* const> chosen) {
    const auto selects = [&](const std::string& name) {
        return std::ranges::any_of(chosen, [&](const scenario* each) { return each->name == name; });
    };
    const auto exists = [](const std::string& name) {
        return std::ranges::any_of(scenarios(), [&](const scenario& each) { return each.name == name; });
    };
    for (const baseline_subject& subject : kept.subjects) {
        const bool audited =
            std::ranges::any_of(chosen, [&](const scenario* each) { return each->subject == subject.name; });
        if (!audited) continue;
        for (const baseline_scenario& each : subject.scenarios) {
            if (selects(each.name) || !exists(each.name)) continue;
            throw command_error(
                exit_code::usage,
                fmt::format("the baseline '{0}' has '{1}' of the subject '{2}', which the patterns leave out; give {2}",
                            file, each.name, subject.name));
        }
    }
}

}  // namespace

std::optional<baseline_audit> baseline_of(const command_options& options, const engine& with,
                                          std::vector<const scenario*>& chosen) {
    const std::string& file = options.baseline;
    if (file.empty()) return std::nullopt;
    baseline_audit result;
    try {
        result = parse_baseline_audit(content_of(file));
    } catch (const std::runtime_error& error) {
        throw command_error(exit_code::usage, fmt::format("the baseline '{}' is no JSON report of a whole audit: {}",
                                                          file, error.what()));
    }
    const auto require = [&](std::string_view what, std::string_view was, std::string_view is) {
        if (was == is) return;
        throw command_error(
            exit_code::usage,
            fmt::format("the baseline '{}' was made with --{} {}, and this audit has {}", file, what, was, is));
    };
    require("engine", result.engine, with.name());
    require("model", result.model, to_string(options.search.model));
    if (options.patterns.empty()) {
        std::erase_if(chosen, [&](const scenario* each) {
            return std::ranges::find(result.subjects, each->subject, &baseline_subject::name) == result.subjects.end();
        });
        if (chosen.empty()) {
            throw command_error(exit_code::usage,
                                fmt::format("this program has none of the subjects of the baseline '{}'", file));
        }
    }
    require_all_scenarios(result, file, chosen);
    return result;
}

void compare_with_baseline(audit_report& report, const baseline_audit& was, const command_options& options,
                           const audit_token& token_of) {
    // Both sides are read by the same rules.
    audit_report finished = report;
    finished.stopped = false;
    const std::string report_now = json_format().audit(finished, {.token_of = token_of});
    report.baseline = compare_audits(was, parse_baseline_audit(report_now), options.patterns.empty());
    report.baseline->file = options.baseline;
}

}  // namespace ordeal::detail
