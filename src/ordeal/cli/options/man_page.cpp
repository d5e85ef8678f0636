// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/description.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>

#include <cctype>

namespace ordeal::detail {

namespace {

// Text that troff shows as it is, also at the beginning of a line.
std::string roff(std::string_view text) {
    std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char c : text) {
        switch (c) {
            case '\\': result += "\\e"; break;
            case '-': result += "\\-"; break;
            case '\'': result += "\\(aq"; break;
            case '`': result += "\\(ga"; break;
            case '~': result += "\\(ti"; break;
            case '^': result += "\\(ha"; break;
            case '\n': result += ' '; break;
            default: result += c;
        }
    }
    return result;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string tagged(const std::string& tag, std::string_view text) {
    return ".TP\n" + tag + '\n' + (text.empty() ? std::string("\\&") : roff(text)) + '\n';
}

std::string upper(std::string_view text) {
    std::string result;
    for (const char c : text) result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

std::string entry(const described_option& option) {
    std::string tag;
    for (const std::string& each : option.names) tag += (tag.empty() ? "" : ", ") + bold(each);
    if (!option.value.empty()) tag += (tag.empty() ? "" : " ") + italic(option.value);
    std::string about = option.about;
    if (!option.usual.empty()) about += fmt::format("; {} if not given", option.usual);
    return tagged(tag, about + '.');
}

std::string section(const described_program& program, const described_command& command) {
    std::string usage = program.name + ' ' + command.name;
    if (!command.options.empty()) usage += " [OPTION]...";
    for (const described_option& each : command.arguments) usage += " [" + each.value + "]";
    std::string text = ".SS \"" + roff(usage) + "\"\n" + roff(command.about) + ".\n";
    for (const described_option& each : command.arguments) text += entry(each);
    for (const described_option& each : command.options) text += entry(each);
    return text;
}

}  // namespace

std::string man_page(const described_program& of) {
    std::string text =
        fmt::format(".TH {} 1 \"\" \"ordeal {}\" \"User Commands\"\n", roff(upper(of.name)), program_version());
    text += fmt::format(".SH NAME\n{} \\- memory orders on trial\n", roff(of.name));
    text += fmt::format(".SH SYNOPSIS\n{} {} [{}]...\n", bold(of.name), italic("COMMAND"), italic("OPTION"));
    text +=
        ".SH DESCRIPTION\nRuns small concurrent programs under a memory model, execution by execution, and says which "
        "verdict each gets.\n";
    for (const described_option& each : of.options) text += entry(each);
    text += ".SH COMMANDS\n";
    for (const described_command& each : of.commands) text += section(of, each);
    text += ".SH \"EXIT STATUS\"\n";
    for (const example& each : exit_statuses()) text += tagged(bold(each.line), each.about + '.');
    text += ".SH ENVIRONMENT\n";
    text += tagged(bold("NO_COLOR"), "When it is set and not empty, reports have no colours.");
    text += tagged(bold("COLUMNS"), "How wide reports on a terminal are; otherwise the terminal says.");
    text += ".SH EXAMPLES\n";
    for (const described_command& command : of.commands) {
        for (const example& each : examples_of(command.name)) text += tagged(bold(each.line), each.about + '.');
    }
    return text;
}

}  // namespace ordeal::detail
