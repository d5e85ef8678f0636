// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/text.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <fmt/format.h>

namespace ordeal::detail {

namespace {

std::string named(const std::string& outcome) { return outcome.empty() ? "(no outcome)" : cut_short(outcome); }

std::string share_text(double share) {
    if (share >= rare_share || share <= 0) return fmt::format("{:.2f} %", share * 100);
    return fmt::format("1 in {:.0f}", 1 / share);
}

tone tone_of(model_says says) {
    switch (says) {
        case model_says::possible: return tone::plain;
        case model_says::impossible: return tone::bad;
        case model_says::nothing:
        case model_says::not_produced: break;
    }
    return tone::doubtful;
}

tone tone_of(grade expected) {
    switch (expected) {
        case grade::acceptable: return tone::good;
        case grade::interesting: return tone::doubtful;
        case grade::forbidden: break;
    }
    return tone::bad;
}

std::string indented(const std::string& text) {
    std::string result;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        result.append("  ").append(text, begin, end + 1 - begin);
    }
    return result;
}

std::string outcome_table(const stressed_scenario& stressed, const text_style& style) {
    text_table table({"outcome", ">samples", ">share", "model", "expected", ""});
    for (const shown_outcome& shown : stressed.outcomes) {
        std::string sentence = shown.sentence;
        if (shown.rare) sentence += sentence.empty() ? "rare" : "; rare";
        const bool asked = shown.model != model_says::nothing;
        table.add({{named(shown.outcome)},
                   {std::to_string(shown.samples)},
                   {share_text(shown.share)},
                   {asked ? std::string(to_string(shown.model)) : "-", tone_of(shown.model)},
                   {std::string(to_string(shown.expected)), tone_of(shown.expected)},
                   {sentence, tone::faint}});
    }
    return indented(table.text(style));
}

std::string model_words(const stressed_scenario& stressed, limit_notes& notes) {
    const search_result& model = stressed.model;
    if (model.executions == 0) {
        return model.message.empty() ? "the model was not asked" : "the model was not asked: " + model.message;
    }
    return fmt::format("model: {}{}{}, {}", words(model), model.limits.empty() ? "" : " ", notes.marks(model.limits),
                       counted(model.executions, "execution"));
}

std::string not_shown_words(const std::vector<std::string>& outcomes) {
    std::string text = "possible in the model, never shown: ";
    for (std::size_t i = 0; i < outcomes.size(); ++i) text += (i == 0 ? "'" : "', '") + named(outcomes[i]);
    return text + '\'';
}

std::string paragraph(const std::string& text, const text_style& style, tone how) {
    std::string result;
    for (const std::string& line : wrapped(text, report_width - 2)) {
        result += "  " + dressed({line, how}, style) + '\n';
    }
    return result;
}

std::string section(const stress_report& report, const stressed_scenario& stressed, limit_notes& notes,
                    const text_style& style) {
    const search_result& ran = stressed.ran;
    std::string text = fmt::format("{}  {}, {:.0f} a second, seed {}\n", style.strong(escaped(stressed.what->name)),
                                   counted(ran.executions, "sample"), stressed.samples_per_second(), stressed.seed);
    if (!stressed.outcomes.empty()) text += outcome_table(stressed, style);
    text += paragraph(model_words(stressed, notes), style, tone::faint);
    if (!stressed.not_shown.empty()) text += paragraph(not_shown_words(stressed.not_shown), style, tone::doubtful);
    if (ran.faults_injected > 0) {
        text +=
            fmt::format("  allocation failures injected: {}, survived: {}\n", ran.faults_injected, ran.faults_survived);
    }
    if (!stressed.message.empty()) {
        const bool good = stressed.as_expected;
        text += paragraph((good ? "as expected, " : "") + cut_short(stressed.message), style,
                          good ? tone::good : tone::bad);
        text += "  " + escaped(repeat_command(report, stressed)) + '\n';
    }
    return text + '\n';
}

std::string summary(const stress_report& report, const text_style& style) {
    std::uint64_t injected = 0;
    std::uint64_t survived = 0;
    double busy = 0;
    for (const stressed_scenario& each : report.scenarios) {
        injected += each.ran.faults_injected;
        survived += each.ran.faults_survived;
        busy += each.ran.seconds;
    }
    std::string text = fmt::format("Scenarios: {}. {}, {:.0f} a second while running; {:.1f} s.\n",
                                   report.scenarios.size(), counted(report.samples(), "sample"),
                                   busy > 0 ? static_cast<double>(report.samples()) / busy : 0, report.seconds);
    if (injected > 0) text += fmt::format("Allocation failures injected: {}, survived: {}.\n", injected, survived);
    if (report.rounds > 0) {
        text += fmt::format("Soak: {} so far; '{}' has them, and the next soak continues from there.\n",
                            counted(report.rounds, "round"), report.soak);
    }
    if (report.stopped_early || report.not_begun > 0) {
        text += style.bad(fmt::format("Stopped early: {} not begun.", counted(report.not_begun, "scenario"))) + '\n';
    }
    if (report.scenarios.empty()) return text + style.bad("Nothing ran.") + '\n';
    const std::size_t unexpected = report.unexpected();
    if (unexpected > 0) return text + style.bad(fmt::format("{} not as expected.", unexpected)) + '\n';
    return report.stopped_early ? text : text + style.good("All as expected.") + '\n';
}

}  // namespace

std::string stress_text(const stress_report& report, const text_style& style) {
    const report_lines lines(style);
    limit_notes notes;
    std::string text;
    for (const stressed_scenario& each : report.scenarios) text += section(report, each, notes, style);
    if (const std::string limits = notes.text("What the model leaves out:"); !limits.empty()) text += limits + '\n';
    return text + summary(report, style);
}

}  // namespace ordeal::detail
