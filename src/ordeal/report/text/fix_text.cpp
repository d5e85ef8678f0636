// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/audit_parts.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

namespace ordeal::detail {

namespace {

std::string heading(const source_fix& fix) {
    std::string text = "fix of " + escaped(fix.subject);
    if (fix.choices == 0) return text;
    const char* const what = fix.repairs ? "repair" : "minimal assignment";
    if (fix.number == 0) return fmt::format("{}: the first {} that only weakens what is written", text, what);
    return fmt::format("{}: {} {} of {}", text, what, fix.number, fix.choices);
}

std::string searched_words(const source_fix& fix) {
    if (!fix.limits.empty()) {
        std::string text = "Each scenario was searched with just these orders, and none is violated. That rests on:";
        for (const limit& each : fix.limits) text += ' ' + each.sentence + ';';
        text.back() = '.';
        return text;
    }
    return "Each scenario was searched with just these orders: all held, all executions explored.";
}

// A control character of the source goes to no terminal. Tabs and carriage returns do: the diff is to apply.
std::string without_controls(std::string_view line) {
    std::string text;
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        const bool control = (byte < 0x20 && c != '\t' && c != '\r') || byte == 0x7f;
        text += control ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return text;
}

std::string diff_text(const source_fix& fix, const text_style& style) {
    const std::string diff = unified_diff(fix.patch);
    std::string text;
    bool exact = true;
    for (std::size_t begin = 0; begin != diff.size();) {
        const std::size_t end = diff.find('\n', begin);
        const std::string line = diff.substr(begin, end - begin);
        const std::string shown = without_controls(line);
        exact = exact && shown == line;
        text += line.starts_with('+') ? style.good(shown) : line.starts_with('-') ? style.bad(shown) : shown;
        text += '\n';
        begin = end + 1;
    }
    if (!exact) text += "The diff shows control characters as \\x..: --write applies it, patch does not.\n";
    return text;
}

std::string again(const source_fix& fix) {
    return fmt::format("To check the changed source, build again, then: {} audit {}", called_as(),
                       shell_word(fix.subject));
}

std::string what_was_written(const source_fix& fix, const text_style& style) {
    if (!fix.trouble.empty()) return style.bad("nothing written: " + escaped(fix.trouble)) + '\n';
    if (fix.written.empty()) {
        const std::string number = fix.number == 0 ? "" : fmt::format(" {}", fix.number);
        return fmt::format(
            "Nothing is written: {} audit {} --fix{} --write does it, and patch -p1 from the project's root.\n",
            called_as(), shell_word(fix.subject), number);
    }
    std::string text;
    for (const std::string& each : fix.written) text += "written: " + escaped(each) + '\n';
    text += "The changed lines were read again, and say just these orders. This program still has the old ones.\n";
    return text + escaped(again(fix)) + '\n';
}

}  // namespace

std::string fix_text(const source_fix& fix, const text_style& style) {
    std::string text = '\n' + style.strong(heading(fix)) + '\n';
    if (!fix.nothing.empty()) return text + indented("nothing to change: " + fix.nothing, 0);
    for (const site_change& each : fix.changes) {
        text += fmt::format("  {}:{} {}: {} -> {}\n", escaped(each.where.key.file), each.where.key.line,
                            operation_of(each.where), to_string(each.where.declared), to_string(each.replacement));
        if (!each.reason.empty()) text += indented("the author: " + each.reason, 4);
    }
    text += indented(searched_words(fix), 0);
    if (fix.patch.refusals.empty()) return text + '\n' + diff_text(fix, style) + '\n' + what_was_written(fix, style);
    if (fix.patch.files.empty()) {
        text += style.bad("no part of it can be made as a patch:") + '\n';
    } else {
        text += style.bad("a part of it, which cannot be made as a patch, is left to you:") + '\n';
    }
    for (const std::string& each : fix.patch.refusals) text += indented(each, 2);
    if (fix.patch.files.empty()) return text;
    const std::size_t made = fix.changes.size() - fix.patch.left.size();
    text += indented(fmt::format("The patch has {} of {} changes. {}", made, fix.changes.size() + fix.fences.size(),
                                 fix.repairs ? "It makes orders stronger only; the rest is needed too."
                                             : "With these alone every scenario holds, for all others stay stronger."),
                     0);
    return text + '\n' + diff_text(fix, style) + '\n' + what_was_written(fix, style);
}

}  // namespace ordeal::detail
