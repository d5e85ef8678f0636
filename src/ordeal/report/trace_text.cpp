// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/trace_text.hpp"

#include "ordeal/model/standard_headers.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/source_line.hpp"
#include "ordeal/report/trace_layout.hpp"
#include "ordeal/report/value_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace ordeal {

namespace {

using detail::trace_layout;

class trace_writer {
public:
    trace_writer(std::vector<std::string> thread_names, const text_style& style)
        : layout_(std::move(thread_names)), style_(style) {}

    std::string head() const { return style_.strong(layout_.head()); }

    std::string row(const trace_step& step) {
        const std::size_t column = step.thread > 0 ? static_cast<std::size_t>(step.thread) : 0;
        threads_began_ |= step.thread >= 0;
        const std::size_t room = layout_.room(column);
        std::string text;
        std::string label = std::to_string(step.index);
        for (const std::string& line : detail::wrapped(words(step), room)) {
            text += fmt::format("{}{}\n", layout_.margin(column, label), dressed(line, step));
            label.clear();
        }
        std::size_t indent = 2;
        for (const std::string& line : detail::wrapped(place(step), room > 12 ? room - 4 : room)) {
            if (line.empty()) break;
            text += fmt::format("{}{}{}\n", layout_.margin(column, ""), std::string(indent, ' '), style_.faint(line));
            indent = 4;
        }
        return text + callers(step, column);
    }

private:
    [[nodiscard]] std::string dressed(const std::string& line, const trace_step& step) const {
        if (step.operation == "violation") return style_.bad(line);
        return step.thread < 0 ? style_.faint(line) : line;
    }

    std::string words(const trace_step& step) {
        if (step.operation == "violation") return "violation";  // in words below the trace
        std::string text = step.thread >= 0 ? "" : threads_began_ ? "(after) " : "(before) ";
        text += step.operation;
        if (step.using_order) {
            text += fmt::format(" {}{}", to_string(*step.using_order), step.overridden ? "*" : "");
        }
        if (!step.object.empty()) text += ' ' + step.object;
        if (step.before || step.after) text += values(step);
        if (step.reads_from) text += fmt::format(", reads step {}", *step.reads_from);
        if (step.stale) text += ", stale";
        if (!step.note.empty()) text += ", " + step.note;
        return text;
    }

    std::string values(const trace_step& step) {
        if (!step.after) return ": " + names_.of(*step.before);
        if (!step.before) return " = " + names_.of(*step.after);
        const std::string before = names_.of(*step.before);  // named first: it comes first
        return ": " + before + " -> " + names_.of(*step.after);
    }

    // How a violation came to be where it is; a recursion in one line.
    std::string callers(const trace_step& step, std::size_t column) {
        std::string text;
        if (step.operation != "violation") return text;
        for (auto each = step.calls.begin(); each != step.calls.end();) {
            const auto other =
                std::find_if(each, step.calls.end(), [&](const call_frame& next) { return next != *each; });
            std::string words = fmt::format("called in {}, {}:{}", each->function, each->file, each->line);
            if (other - each > 1) words += fmt::format(", {} times", other - each);
            each = other;
            for (const std::string& line : detail::wrapped(words, layout_.room(column) - 4)) {
                text += fmt::format("{}    {}\n", layout_.margin(column, ""), style_.faint(line));
            }
        }
        return text;
    }

    // "src/a.hpp:12  text of that line"; nothing when the thread's step before was there too, or when the place is in a
    // standard header (std::lock_guard calls lock() there).
    std::string place(const trace_step& step) {
        const site_key& key = step.where.key;
        if (key.line == 0 || is_standard_header(key.file)) return {};
        std::string where = fmt::format("{}:{}", key.file, key.line);
        if (std::exchange(last_place_[step.thread], where) == where) return {};
        const std::string line = lines_.at(key.file, key.line);
        return fmt::format("{}{}{}", where, line.empty() ? "" : "  ", line);
    }

    trace_layout layout_;
    text_style style_;
    source_lines lines_;
    value_names names_;
    std::map<int, std::string> last_place_;
    bool threads_began_ = false;
};

bool any_overridden(const trace& steps) {
    for (const trace_step& step : steps) {
        if (step.overridden) return true;
    }
    return false;
}

}  // namespace

std::string trace_text(const scenario& what, const search_result& result, const text_style& style) {
    trace_writer writer(detail::thread_names(what, result.trace), style);
    std::string text;
    if (!result.trace.empty()) {
        text = writer.head();
        for (const trace_step& step : result.trace) text += writer.row(step);
        if (any_overridden(result.trace)) text += "      * order replaced for this search\n";
    }
    return text;
}

std::string verdict_text(const search_result& result, const text_style& style) {
    const std::string last = words(result) + (result.message.empty() ? "" : ": " + result.message);
    std::string text;
    for (const std::string& line : detail::wrapped(last, report_width)) {
        text += (result.verdict == verdict::violated ? style.bad(line) : line) + '\n';
    }
    if (!result.models) return text;
    for (const std::string& line : detail::wrapped(words(*result.models), report_width)) text += line + '\n';
    return text;
}

}  // namespace ordeal
