// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/audit.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace ordeal::detail {

namespace {

// Numbers are those of one subject's report.
void require_one_subject(std::span<const scenario* const> chosen) {
    std::set<std::string> subjects;
    for (const scenario* each : chosen) subjects.insert(each->subject);
    if (subjects.size() <= 1) return;
    constexpr std::size_t most = 5;
    std::string names;
    std::size_t shown = 0;
    for (const std::string& each : subjects) {
        if (shown++ == most) break;
        names.append(names.empty() ? "" : ", ").append(each);
    }
    if (subjects.size() > most) names += fmt::format(" and {} more", subjects.size() - most);
    throw command_error(exit_code::usage, "--fix is for one subject; these are selected: " + names);
}

source_fix wanted_fix(const audited_subject& subject, const command_options& options) {
    const std::size_t choices = count_fixes(subject);
    if (options.fix_number > choices) {
        throw command_error(
            exit_code::usage,
            fmt::format("--fix {}: {} has {}", options.fix_number, subject.name,
                        counted(choices, subject.verdict == verdict::violated ? "repair" : "minimal assignment")));
    }
    source_fix fix = find_fix(subject, options.fix_number);
    if (options.write_fix) write_fix(fix);
    return fix;
}

}  // namespace

exit_code run_audit_command(const command_options& options) {
    require_writable(options);
    if (options.engine == "all") throw command_error(exit_code::usage, "an audit uses one engine");
    audit_options how;
    how.with = &chosen_engine(options.engine);
    require_able({&how.with, 1}, options.search);
    how.search = options.search;
    how.isolation = {options.jobs, hard_limit_of(options.search.resources.seconds)};
    std::vector<const scenario*> chosen = searched_by(*how.with, chosen_scenarios(options), options);
    const std::optional<baseline_audit> baseline = baseline_of(options, *how.with, chosen);

    if (options.fix) require_one_subject(chosen);

    watched_progress progress(options.quiet);
    audit_report report = run_audit(chosen, how, progress.callback());
    progress.clear();
    const bool can_fix = options.fix && !report.stopped && !report.subjects.empty();
    if (can_fix) report.fix = wanted_fix(report.subjects.front(), options);
    const audit_token token_of = [&](const shown_violation& tried) {
        return token_text(report.engine, report.model, tried.scenario, tried.overrides, tried.replay);
    };
    std::vector<accepted_violation> met;
    for (const audited_subject& subject : report.subjects) {
        for (const audited_scenario& each : subject.scenarios) merge_accepted(each.result.accepted, met);
    }
    name_unmet_acceptances(met, how.search.accept);
    if (baseline && !report.stopped) compare_with_baseline(report, *baseline, options, token_of);
    report.require_complete = options.require_complete;
    if (options.strict) report.strict = shortfalls_of(report);
    write_reports(options, [&](const report_format& format, report_context context) {
        context.token_of = token_of;
        return format.audit(report, context);
    });
    if (report.stopped || report.subjects.empty()) return exit_code::incomplete;
    if (report.fix && !report.fix->done()) return exit_code::incomplete;
    // What is not as expected and was so in the file is known.
    const bool expected = report.baseline ? report.baseline->differences.empty()
                                          : std::ranges::all_of(report.subjects, &audited_subject::as_expected);
    const bool strict = !report.strict || report.strict->empty();
    const bool complete = !options.require_complete || cut_short_of(report).empty();
    return expected && strict && complete ? exit_code::as_expected : exit_code::violation;
}

}  // namespace ordeal::detail
