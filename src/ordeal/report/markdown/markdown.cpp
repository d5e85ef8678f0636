// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// The longest run of this character.
std::size_t longest_run(std::string_view text, char of) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == of ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

// Text that stands for itself: names and messages come from the code on trial.
std::string plain(std::string_view text) {
    const std::string shown = escaped(text);
    std::string result;
    for (std::size_t i = 0; i != shown.size(); ++i) {
        const char c = shown[i];
        // Within a word an underscore is one.
        const bool inside = i > 0 && i + 1 < shown.size() && is_of_word(shown[i - 1]) && is_of_word(shown[i + 1]);
        const bool special = std::string_view("\\`*_[]<>|#~&").find(c) != std::string_view::npos;
        if (special && !(c == '_' && inside)) result += '\\';
        result += c;
    }
    return result;
}

// Within a line, or the cell of a table.
std::string code(std::string_view text) {
    std::string result = escaped(text);
    std::erase(result, '`');
    std::string cell;
    for (const char c : result) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return '`' + cell + '`';
}

std::string row(const std::vector<std::string>& cells) {
    std::string result = "|";
    for (const std::string& cell : cells) result += ' ' + cell + " |";
    return result + '\n';
}

// The first row of a table, and the line under it.
std::string heading(const std::vector<std::string>& cells) {
    std::string result = row(cells) + '|';
    for (std::size_t i = 0; i != cells.size(); ++i) result += "---|";
    return result + '\n';
}

// Lines that stand as they are; the fence is longer than any in them.
std::string fenced(std::string_view lines, std::string_view language) {
    const std::string text = escaped_lines(lines);
    const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
    std::string result = fence + std::string(language) + '\n' + text;
    if (!text.empty() && text.back() != '\n') result += '\n';
    return result + fence + '\n';
}

// Shown when the reader unfolds it. The summary is HTML.
std::string collapsed(std::string_view summary, std::string_view content) {
    std::string result = "<details><summary>" + std::string(summary) + "</summary>\n\n";
    return result.append(content).append("\n</details>\n");
}

std::string expectation_words(const checked_scenario& checked) {
    if (checked.as_expected) return "as expected";
    if (leaves_code_unchecked(checked.result)) return "**not checked**";
    return fmt::format("**expected {}**{}", words(checked.what->expected), checked.explained ? ", explained" : "");
}

std::string table(const check_report& report) {
    std::string text = heading({"scenario", "engine", "verdict", "", "executions", "blocked"});
    for (const checked_scenario& checked : report.scenarios) {
        const search_result& result = checked.result;
        text += row({code(checked.what->name), plain(checked.engine) + plain(memory_model_suffix(checked.model)),
                     words(result), expectation_words(checked), std::to_string(result.executions),
                     std::to_string(result.blocked)});
    }
    return '\n' + text;
}

std::string violation(const checked_scenario& checked) {
    const search_result& result = checked.result;
    std::string text;
    if (!result.message.empty()) text += plain(cut_short(result.message)) + "\n";
    for (const std::string& each : checked.why.conclusion) text += (text.empty() ? "" : "\n") + plain(each) + '\n';
    if (result.models) text += '\n' + plain(words(*result.models)) + '\n';
    const std::string trace = trace_text(*checked.what, result, checked.why, text_style(), trace_detail::causes);
    if (!trace.empty()) text += '\n' + collapsed("Trace", fenced(trace, "text"));
    return text;
}

// What a verdict that is not *held* has to say: why, how to see it, on what it rests.
std::string section(const checked_scenario& checked) {
    const search_result& result = checked.result;
    const bool violated = result.verdict == verdict::violated;
    std::string text = fmt::format("\n## {}: {}\n\n", plain(checked.what->name), words(result));
    if (violated) {
        text += violation(checked);
    } else if (!result.message.empty()) {
        text += plain(cut_short(result.message)) + "\n";
    }
    if (const std::string again = replay_line(checked); !again.empty()) text += '\n' + fenced(again, "sh");
    if (!result.limits.empty() && !text.ends_with("\n\n")) text += '\n';
    for (const limit& each : result.limits) text += fmt::format("- limit: {}\n", plain(each.sentence));
    return text;
}

std::string how_it_was_searched(const check_report& report) {
    std::string text = fmt::format("Search: {}", search_argument(report.how));
    if (const auto seed = seed_of(report.how)) text += fmt::format(", seed {}", *seed);
    return text + fmt::format(", {}.\n", budget_words(report.how));
}

std::string comparisons(const check_report& report) {
    std::string text;
    for (const comparison& made : report.comparisons) {
        if (made.verdict == agreement::agree && made.explained_by.empty()) continue;
        text += fmt::format("- {}: {}: {}\n", code(made.what->name), to_string(made.verdict), plain(made.message));
    }
    return text.empty() ? text : "\n## Engines compared\n\n" + text;
}

std::string undecided(const std::vector<shortfall>& values) {
    std::string text = "\n## Not decided for every execution\n\n";
    if (values.empty()) text += "Nothing.\n";
    for (const shortfall& each : values) text += fmt::format("- {}\n", plain(words(each)));
    return text;
}

std::string conclusion(const check_report& report) {
    if (report.scenarios.empty()) return "**Nothing ran.**\n";
    const std::size_t failed = report.unexpected() + report.count(agreement::failed);
    std::string text = counted(report.scenarios.size(), "search");
    if (report.scenarios.size() != 1) text = fmt::format("{} searches", report.scenarios.size());
    text += failed == 0 ? ", all as expected" : fmt::format(", **{} not as expected**", failed);
    if (report.stopped_early) {
        text += fmt::format("; **stopped early: {} not begun**", counted(report.not_begun, "scenario"));
    }
    text += ".\n";
    const std::string cut = cut_short_words(cut_short_of(report), report.how, report.require_complete);
    return cut.empty() ? text : text + "\n**" + plain(cut) + "**\n";
}

std::string place(const site& where) {
    const std::string text = code(short_place(where.key));
    return where.function.empty() ? text : text + ' ' + code(where.function + "()");
}

std::string words_of(const audited_order& tried) {
    std::string text = fmt::format("{}: {}", to_string(tried.tried), words_of(tried.verdict));
    if (tried.kind) text += fmt::format(" ({})", to_string(*tried.kind));
    if (tried.verdict == order_verdict::vacuous) text += ": " + plain(tried.note);
    return text;
}

std::string site_table(const audited_subject& subject) {
    std::string text = heading({"site", "operation", "declared", "verdict", "weaker orders"});
    for (const audited_site& each : subject.sites) {
        std::string weaker;
        for (const audited_order& tried : each.weaker) weaker += (weaker.empty() ? "" : "<br>") + words_of(tried);
        std::string verdict(to_string(each.verdict));
        if (each.verdict == site_verdict::stronger_than_needed && each.on_purpose) verdict = "stronger on purpose";
        if (each.stronger) verdict += fmt::format(", needs {}", to_string(*each.stronger));
        if (!each.scope.empty()) verdict += " " + plain(each.scope);
        text += row({place(each.where), plain(operation_of(each.where)), std::string(to_string(each.where.declared)),
                     verdict, weaker.empty() ? "none" : weaker});
    }
    return text;
}

constexpr std::size_t most_columns = 8;

std::string joint(const joint_table& table) {
    const std::size_t count = table.minimal.size();
    if (is_minimal_as_written(table)) {
        return fmt::format("\nThe orders of {} taken together are minimal as written, and no other assignment is.\n",
                           table.sites.size() == 1 ? "this 1 site" : fmt::format("these {} sites", table.sites.size()));
    }
    std::string text =
        fmt::format("\n{}, {}. Each holds in every scenario, and none of its orders can be made weaker.",
                    counted(count, "minimal assignment"), table.complete ? "and no more" : "perhaps not all");
    if (!table.note.empty()) text += " Not all were looked for: " + plain(table.note) + '.';
    text += '\n';
    if (count == 0) return text;
    const std::size_t shown = std::min(count, most_columns);
    std::vector<std::string> cells{"site", "operation", "declared"};
    for (std::size_t i = 0; i != shown; ++i) cells.push_back(fmt::format("{}", i + 1));
    text += '\n' + heading(cells);
    for (std::size_t i = 0; i != table.sites.size(); ++i) {
        const site& where = table.sites[i];
        cells = {place(where), plain(operation_of(where)), std::string(to_string(where.declared))};
        for (std::size_t j = 0; j != shown; ++j) {
            const order chosen = table.minimal[j].orders[i];
            cells.push_back(chosen == where.declared ? "=" : fmt::format("**{}**", to_string(chosen)));
        }
        text += row(cells);
    }
    if (shown != count) text += fmt::format("\nAnd {} more, which the JSON report has.\n", count - shown);
    for (std::size_t i = 0; i != shown; ++i) {
        if (table.minimal[i].limits.empty()) continue;
        text += fmt::format("\n{} held within limits{}.\n", i + 1, plain(limit_clauses(table.minimal[i].limits)));
    }
    return text;
}

std::string repairs(const audited_subject& subject) {
    std::string text;
    for (std::size_t i = 0; i != subject.repairs.size(); ++i) {
        std::string changes;
        for (const order_override& each : subject.repairs[i].changes) {
            changes += (changes.empty() ? "" : ", ") + code(to_string(each));
        }
        text += fmt::format("{}. repair: {}{}\n", i + 1, changes, plain(limit_clauses(subject.repairs[i].limits)));
    }
    return text.empty() ? text : '\n' + text;
}

std::string of_subject(const audited_subject& subject) {
    std::string text = fmt::format(
        "\n## {}\n\n*{}* as written{}, in {}.{}\n", plain(subject.name), words(subject.verdict, subject.kind),
        subject.as_expected ? "" : ", **not as expected**", counted(subject.scenarios.size(), "scenario"),
        subject.complete ? "" : " Some searches were cut short.");
    std::string open;
    for (const audited_scenario& each : subject.scenarios) {
        if (!each.as_expected) {
            open += fmt::format("- {}: {}. {}\n", code(each.what->name),
                                unexpected_verdict_text(each.what->expected, each.result),
                                plain(cut_short(each.result.message)));
        } else if (each.result.verdict == verdict::held_within) {
            open += fmt::format("- {}: held within limits{}.\n", code(each.what->name),
                                plain(limit_clauses(each.result.limits)));
        }
    }
    if (!open.empty()) text += '\n' + open;
    if (!subject.sites.empty()) text += '\n' + site_table(subject);
    for (const joint_table& each : subject.joint) text += joint(each);
    text += repairs(subject);
    return subject.note.empty() ? text : text + '\n' + plain(subject.note) + ".\n";
}

std::string demands(const audit_report& report) {
    std::string text;
    if (report.baseline) {
        text += fmt::format("\n## Compared with {}\n\n", code(report.baseline->file));
        if (report.baseline->differences.empty()) text += "No difference.\n";
        for (const baseline_difference& each : report.baseline->differences) {
            text += fmt::format("- {}: {}\n", plain(each.subject), plain(each.sentence));
        }
    }
    const std::vector<shortfall> cut = cut_short_of(report);
    if (!cut.empty()) {
        text += fmt::format("\n## Cut short{}\n\nEach search had a {}.\n\n",
                            report.require_complete ? ", which is not let pass" : "", budget_words(report.how));
        for (const shortfall& each : cut) text += fmt::format("- {}\n", plain(words(each)));
    }
    return report.strict ? text + undecided(*report.strict) : text;
}

class markdown_writer final : public report_format {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "markdown"; }
    [[nodiscard]] std::string_view about() const noexcept override { return "Write Markdown"; }
    [[nodiscard]] std::string check(const check_report& report, const report_context& /*with*/) const override {
        std::string text = "# Scenarios\n\n" + conclusion(report) + '\n' + how_it_was_searched(report);
        if (!report.scenarios.empty()) text += table(report);
        for (const checked_scenario& each : report.scenarios) {
            if (each.result.verdict != verdict::held || !each.result.limits.empty()) text += section(each);
        }
        text += comparisons(report);
        return escaped_lines(report.strict ? text + undecided(*report.strict) : text);
    }
    [[nodiscard]] std::string audit(const audit_report& report, const report_context& /*with*/) const override {
        std::string text =
            fmt::format("# Memory orders\n\n{} audited with {}{}.\n", counted(report.subjects.size(), "subject"),
                        plain(report.engine), memory_model_suffix(report.model));
        if (report.stopped) text += "\n**Stopped early: what was not searched is undecided.**\n";
        for (const audited_subject& subject : report.subjects) text += of_subject(subject);
        return escaped_lines(text + demands(report));
    }
};

}  // namespace

const report_format& markdown_format() {
    static const markdown_writer it;
    return it;
}

}  // namespace ordeal::detail
