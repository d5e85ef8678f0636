// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/trace_text.hpp"

#include "ordeal/explain/step_words.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/source_line.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/trace_layout.hpp"
#include "ordeal/report/value_names.hpp"
#include "ordeal/runtime/standard_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <string_view>
#include <vector>

namespace ordeal::detail {

namespace {

// "queue_event.hpp:38"
std::string short_place(const site_key& key) {
    const auto slash = key.file.rfind('/');
    return fmt::format("{}:{}", slash == std::string::npos ? key.file : key.file.substr(slash + 1), key.line);
}

class trace_writer {
public:
    trace_writer(const scenario& what, const trace& steps, const explanation& why, const text_style& style,
                 trace_detail shown)
        : steps_(steps),
          why_(why),
          threads_(thread_names(what, steps)),
          shown_(shown),
          columns_(threads_with_columns()),
          layout_(names_of_columns()),
          style_(style) {
        bool began = false;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            labels_.emplace(steps[i].index, label(i));
            if (steps[i].kind() == step_kind::construct) initial_.insert(steps[i].index);
            began |= steps[i].thread >= 0;
            if (!began && why.letters[i].empty()) early_.insert(steps[i].index);
        }
    }

    std::string text() {
        std::string text = style_.strong(layout_.head());
        std::size_t folded = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            threads_began_ |= steps_[i].thread >= 0;
            if (shown_ == trace_detail::all) {
                text += whole_row(i);
            } else if (!why_.letters[i].empty()) {
                text += short_row(i);
            } else {
                (void)words(steps_[i]);  // names addresses in the order of the whole trace
                ++folded;
            }
        }
        if (folded > 0) {
            text += style_.faint(
                fmt::format("      {} folded; --all-steps shows every one\n", counted(folded, "more step")));
        }
        return text;
    }

private:
    // A letter where the conclusion may speak of the step, else its number.
    [[nodiscard]] std::string label(std::size_t position) const {
        const std::string& letter = why_.letters[position];
        return letter.empty() ? std::to_string(steps_[position].index) : letter;
    }

    // All threads where there is room for so many columns, else those with steps that are shown. Empty: these are too
    // many, too, and all steps come in one column, each with the name of its thread.
    [[nodiscard]] std::vector<int> threads_with_columns() const {
        std::vector<int> result(threads_.size());
        std::iota(result.begin(), result.end(), 0);
        if (result.size() <= trace_layout::most_columns()) return result;
        std::set<int> threads;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (shown_ == trace_detail::all || !why_.letters[i].empty()) threads.insert(steps_[i].thread);
        }
        std::erase_if(result, [&](int thread) { return !threads.contains(thread); });
        if (result.size() > trace_layout::most_columns()) result.clear();
        return result;
    }
    [[nodiscard]] std::vector<std::string> names_of_columns() const {
        if (columns_.empty()) return {"all threads"};
        std::vector<std::string> result;
        for (const int thread : columns_) result.push_back(threads_[static_cast<std::size_t>(thread)]);
        return result;
    }
    [[nodiscard]] std::size_t column_of(const trace_step& step) const {
        const auto found = std::ranges::find(columns_, step.thread);
        return found == columns_.end() ? 0 : static_cast<std::size_t>(found - columns_.begin());
    }
    std::string words_in_row(const trace_step& step) {
        const bool named = columns_.empty() && step.thread >= 0;
        return (named ? threads_[static_cast<std::size_t>(step.thread)] + ": " : "") + words(step);
    }

    std::string short_row(std::size_t position) {
        const trace_step& step = steps_[position];
        const std::size_t column = column_of(step);
        const std::size_t room = layout_.room(column);
        std::string place;
        if (step.where.key.line != 0 && !is_standard_header(step.where.key.file)) {
            place = "  " + short_place(step.where.key);
        }
        std::string text = escaped(words_in_row(step));
        std::string below;
        if (text.size() + place.size() > room) {
            // The place is what can go elsewhere.
            below = fmt::format("{}{}\n", layout_.margin(column, ""), style_.faint(shortened(place, room)));
            place.clear();
        }
        text = shortened(text, room) + escaped(place);
        const std::string shown = position == why_.first ? style_.bad(text) : dressed(text, step);
        return fmt::format("{}{}\n", layout_.margin(column, label(position)), shown) + below;
    }

    std::string whole_row(std::size_t position) {
        const trace_step& step = steps_[position];
        const std::size_t column = column_of(step);
        const std::size_t room = layout_.room(column);
        std::string text;
        std::string number = label(position);
        for (const std::string& line : wrapped(words_in_row(step), room)) {
            text += fmt::format("{}{}\n", layout_.margin(column, number), dressed(line, step));
            number.clear();
        }
        std::size_t indent = 2;
        for (const std::string& line : wrapped(place(step), room > 12 ? room - 4 : room)) {
            if (line.empty()) break;
            text += fmt::format("{}{}{}\n", layout_.margin(column, ""), std::string(indent, ' '), style_.faint(line));
            indent = 4;
        }
        return text + callers(step, column);
    }

    [[nodiscard]] std::string dressed(const std::string& line, const trace_step& step) const {
        if (step.is_violation()) return style_.bad(line);
        return step.thread < 0 ? style_.faint(line) : line;
    }

    std::string words(const trace_step& step) {
        std::string text = step.thread >= 0 ? "" : threads_began_ ? "(after) " : "(before) ";
        if (step.is_violation()) return text + step.operation + violating_access(step);
        if (step.is_stuck()) return text + step.operation + ": " + waiting_words(step);
        text += access_words(step);
        if (const std::string& object = object_words(step); !object.empty()) text += ' ' + object;
        // Before the values: where a row is cut, what the conclusion rests on stays.
        if (step.reads_from) text += with_source(", reads ", *step.reads_from);
        if (step.woken_by) text += with_source(", by ", *step.woken_by);
        if (step.before || step.after) text += values(step);
        if (step.stale) text += ", stale";
        if (!step.note.empty()) text += ", " + step.note;
        return text;
    }

    // What is wrong with it has been said above the trace.
    static std::string violating_access(const trace_step& step) {
        if (step.size == 0) return step.note.empty() ? "" : ": " + step.note.substr(0, step.note.find(':'));
        const std::string& object = object_words(step);
        return fmt::format(": {}{}{}", step.where.operation, object.empty() ? "" : " ", object);
    }

    // Nothing where the step is not shown.
    std::string with_source(std::string_view words, std::uint32_t index) const {
        const auto found = labels_.find(index);
        std::string name;
        if (initial_.contains(index)) {
            name = "initial";
        } else if (found != labels_.end() && shown_ == trace_detail::causes && early_.contains(index)) {
            name = "construction";
        } else if (found != labels_.end() && !std::isdigit(static_cast<unsigned char>(found->second[0]))) {
            name = found->second;
        } else if (shown_ == trace_detail::all && found != labels_.end()) {
            name = fmt::format("step {}", index);
        }
        return name.empty() ? name : fmt::format("{}{}", words, name);
    }

    std::string values(const trace_step& step) {
        const auto named = [&](std::uint64_t value, const std::optional<std::uint64_t>& second,
                               const std::string& name) {
            const std::string number = names_.of(value, second);  // in any case: names go by the order of appearance
            return name.empty() ? number : name;
        };
        // What was before is named first: it comes first.
        const std::string before = step.before ? named(*step.before, step.second_before, step.before_name) : "";
        if (!step.after) return ": " + before;
        const std::string after = named(*step.after, step.second_after, step.after_name);
        return step.before ? ": " + before + " -> " + after : " = " + after;
    }

    // How a violation came to be where it is; a recursion in one line.
    std::string callers(const trace_step& step, std::size_t column) {
        std::string text;
        if (!step.is_violation()) return text;
        for (auto each = step.calls.begin(); each != step.calls.end();) {
            const auto other =
                std::find_if(each, step.calls.end(), [&](const call_frame& next) { return next != *each; });
            std::string words = fmt::format("called in {}, {}:{}", each->function, each->file, each->line);
            if (other - each > 1) words += fmt::format(", {} times", other - each);
            each = other;
            for (const std::string& line : wrapped(words, layout_.room(column) - 4)) {
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

    const trace& steps_;
    const explanation& why_;
    std::vector<std::string> threads_;
    trace_detail shown_;
    std::vector<int> columns_;  ///< the thread of each
    trace_layout layout_;
    text_style style_;
    source_lines lines_;
    value_names names_;
    std::map<std::uint32_t, std::string> labels_;
    std::set<std::uint32_t> initial_;
    std::set<std::uint32_t> early_;  ///< folded, of construction
    std::map<int, std::string> last_place_;
    bool threads_began_ = false;
};

// Each thing that is said in lines of its own, the second and further ones indented.
std::string paragraph(std::string_view sentence, const text_style& style, bool bad = false) {
    std::string text;
    for (const std::string& line : wrapped(sentence, report_width - 2)) {
        const std::string indented = (text.empty() ? "" : "  ") + line;
        text += (bad ? style.bad(indented) : indented) + '\n';
    }
    return text;
}

// What has no place of its own happens behind the step before it: a block is freed by a destroy().
site_key place_of(const trace& steps, std::size_t end) {
    const trace_step& step = steps[end];
    if (step.where.key.line != 0 || step.size == 0) return step.where.key;
    for (std::size_t i = end; i-- > 0;) {
        if (steps[i].thread == step.thread && steps[i].where.key.line != 0) return steps[i].where.key;
    }
    return {};
}

// "  a  owner  src/a.hpp:12  state_.exchange(...)", in one line.
std::string end_text(const scenario& what, const trace& steps, std::size_t end, const explanation& why,
                     source_lines& lines, const text_style& style) {
    const trace_step& step = steps[end];
    const site_key key = place_of(steps, end);
    if (key.line == 0 && step.is_violation()) return {};
    const std::vector<std::string> names = thread_names(what, steps);
    std::string text = fmt::format("  {}  ", why.letters[end]);
    if (step.thread >= 0) text += names[static_cast<std::size_t>(step.thread)] + "  ";
    if (key.line != 0) {
        const bool own = key == step.where.key;
        text += fmt::format("{}{}:{}  {}", own ? "" : "from ", key.file, key.line, lines.at(key.file, key.line));
    }
    if (key.line == 0) text += step.operation;
    text = style.faint(shortened(text, report_width)) + '\n';
    if (step.calls.size() < 2) return text;
    std::string called = "     called in";
    const auto of_user = [](const call_frame& each) {
        return each.file.find("ordeal/instrumented/") == std::string::npos;
    };
    for (const call_frame& each :
         step.calls | std::views::drop(1) | std::views::filter(of_user) | std::views::take(3)) {
        called += fmt::format("{} {}, {}:{}", called.ends_with("in") ? "" : ";", each.function, each.file, each.line);
    }
    if (called.ends_with("in")) return text;
    return text + style.faint(shortened(called, report_width)) + '\n';
}

}  // namespace

std::string trace_text(const scenario& what, const search_result& result, const explanation& why,
                       const text_style& style, trace_detail shown) {
    if (result.trace.empty()) return {};
    std::string text = trace_writer(what, result.trace, why, style, shown).text();
    const bool overridden = std::ranges::any_of(result.trace, &trace_step::overridden);
    return text + (overridden ? "      * order replaced for this search\n" : "");
}

std::string conclusion_text(const scenario& what, const search_result& result, const explanation& why,
                            const text_style& style) {
    const std::string verdict_line = words(result) + (result.message.empty() ? "" : ": " + cut_short(result.message));
    return paragraph(verdict_line, style, result.verdict == verdict::violated) + why_text(what, result, why, style);
}

std::string why_text(const scenario& what, const search_result& result, const explanation& why,
                     const text_style& style) {
    std::string text;
    source_lines lines;
    if (why.first) text += end_text(what, result.trace, *why.first, why, lines, style);
    if (why.second) text += end_text(what, result.trace, *why.second, why, lines, style);
    for (const std::string& sentence : why.conclusion) text += paragraph(sentence, style);
    if (result.models) text += paragraph(words(*result.models), style);
    return text;
}

std::string violation_text(const scenario& what, const search_result& result, const explanation& why,
                           const text_style& style, trace_detail shown) {
    return conclusion_text(what, result, why, style) + trace_text(what, result, why, style, shown);
}

}  // namespace ordeal::detail
