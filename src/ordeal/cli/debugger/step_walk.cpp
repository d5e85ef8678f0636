// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/debugger/step_walk.hpp"

#include "ordeal/report/check_report.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/text/trace_layout.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <istream>
#include <ostream>

namespace ordeal::detail {

namespace {

constexpr std::uint32_t lines_around = 3;
constexpr const char* command_help =
    "Enter or n: next, p: previous, c: to the violation, q: end, or a step by its number or letter (of c, n, p and q "
    "in "
    "capitals)";

std::string indented(std::string_view text, std::size_t indent) {
    std::string result;
    for (const std::string& line : wrapped(text, walk_width - indent)) {
        result += fmt::format("{}{}\n", std::string(indent, ' '), line);
    }
    return result;
}

std::string words_of(const trace_step& step, value_names& names) {
    if (step.is_violation()) return "violation";
    std::string text = access_words(step);
    if (const std::string& object = object_words(step); !object.empty()) text += ' ' + object;
    text += names.change_by(step);
    if (step.reads_from) text += fmt::format(", reads step {}", *step.reads_from);
    if (step.stale) text += ", stale";
    if (!step.note.empty()) text += ", " + step.note;
    return text;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::vector<std::string> lines_of(const std::string& file) {
    std::vector<std::string> lines;
    for (const std::string& line : read_source_lines(file)) {
        std::string spaced;
        for (const char c : line) c == '\t' ? spaced.append(4, ' ') : spaced.append(1, c);
        lines.push_back(escaped(spaced));
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

step_walk::step_walk(const scenario& what, const search_result& result, const explanation& why, const text_style& style)
    : result_(result), style_(style), why_(why), threads_(thread_names(what, result.trace)) {
    value_names names;
    for (const trace_step& step : result.trace) words_.push_back(words_of(step, names));
    const auto first = std::ranges::find_if(result.trace, [](const trace_step& step) { return step.thread >= 0; });
    threads_begin_ = static_cast<std::size_t>(first - result.trace.begin());
}

// "step 4 (d)"
std::string step_walk::name_of(std::size_t step) const {
    const std::string letter = step < why_.letters.size() ? why_.letters[step] : "";
    const std::uint32_t number = result_.trace[step].index;
    return letter.empty() ? fmt::format("step {}", number) : fmt::format("step {} ({})", number, letter);
}

std::string step_walk::thread_of(const trace_step& step) const {
    if (step.thread >= 0) return threads_[static_cast<std::size_t>(step.thread)];
    const std::size_t position = static_cast<std::size_t>(&step - result_.trace.data());
    if (position < threads_begin_) return "before the threads";
    return step.is_violation() ? "at the end" : "after the threads";
}

std::string step_walk::title(std::size_t step) const {
    const trace_step& of = result_.trace[step];
    const std::string words = of.is_violation() ? "" : ": " + words_[step];
    return fmt::format("{}, {}{}", name_of(step), thread_of(of), words);
}

std::string step_walk::source() const {
    const site_key& key = result_.trace[at_].where.key;
    if (key.line == 0) return {};
    std::string text = indented(fmt::format("{}:{}", key.file, key.line), 2);
    const auto [found, fresh] = files_.try_emplace(key.file);
    if (fresh) found->second = lines_of(key.file);
    const std::vector<std::string>& lines = found->second;
    if (key.line > lines.size()) return text;
    const std::uint32_t first = key.line > lines_around ? key.line - lines_around : 1;
    const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(lines.size(), key.line + lines_around));
    for (std::uint32_t line = first; line <= last; ++line) {
        const bool here = line == key.line;
        std::string row = fmt::format("  {} {:>5}  {}", here ? '>' : ' ', line, lines[line - 1]);
        row = shortened(row.substr(0, row.find_last_not_of(" \r") + 1), walk_width);
        text += (here ? style_.strong(row) : row) + '\n';
        constexpr std::size_t before_text = 11;
        if (here && key.column > 0 && before_text + key.column < walk_width) {
            text += std::string(before_text + key.column - 1, ' ') + style_.strong("^") + '\n';
        }
    }
    return text;
}

// What each thread did up to here.
std::string step_walk::last_steps() const {
    std::size_t width = 0;
    for (const std::string& name : threads_) width = std::max(width, std::min<std::size_t>(name.size(), 16));
    std::string text = "Last step of each thread:\n";
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
        std::string words = "-";
        for (std::size_t i = 0; i <= at_; ++i) {
            if (result_.trace[i].thread != static_cast<int>(thread)) continue;
            const site_key& key = result_.trace[i].where.key;
            words = fmt::format("{}: {}", name_of(i), words_[i]);
            if (key.line != 0) words += fmt::format(", {}:{}", key.file.substr(key.file.rfind('/') + 1), key.line);
        }
        std::string label = fmt::format("  {:<{}}  ", shortened(threads_[thread], width), width);
        for (const std::string& line : wrapped(words, walk_width - label.size())) {
            text += label + line + '\n';
            label.assign(label.size(), ' ');
        }
    }
    return text;
}

// At the last step: why it is a violation.
std::string step_walk::end_words() const {
    if (at_ + 1 < result_.trace.size()) return {};
    std::string text = "\n";
    for (const std::string& line : wrapped(words(result_), walk_width)) {
        text += (result_.verdict == verdict::violated ? style_.bad(line) : line) + '\n';
    }
    for (const std::string& sentence : why_.conclusion) text += indented(sentence, 2);
    return text;
}

std::string step_walk::shown() const {
    const trace_step& step = result_.trace[at_];
    const std::string head = fmt::format("{}, {} of {}", name_of(at_), at_ + 1, result_.trace.size());
    std::string text = style_.strong(head) + '\n';
    text += indented(fmt::format("{}: {}", thread_of(step), words_[at_]), 0);
    return text + '\n' + source() + (step.where.key.line == 0 ? "" : "\n") + last_steps() + end_words();
}

step_walk::answer step_walk::go_to(std::size_t step) {
    at_ = step;
    return {};
}

std::optional<std::size_t> step_walk::find(std::string_view name) const {
    for (std::size_t i = 0; i < why_.letters.size(); ++i) {
        if (!name.empty() && lower(why_.letters[i]) == lower(name)) return i;
    }
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    const auto found = std::ranges::find(result_.trace, number, &trace_step::index);
    if (found == result_.trace.end()) return std::nullopt;
    return static_cast<std::size_t>(found - result_.trace.begin());
}

step_walk::answer step_walk::obey(std::string_view command) {
    const std::string_view word = trimmed(command);
    const std::size_t last = result_.trace.size() - 1;
    if (word == "q") return {false, {}};
    if (word == "c") return go_to(last);
    if (word.empty() || word == "n") {
        if (at_ == last) return {true, "this is the last step"};
        return go_to(at_ + 1);
    }
    if (word == "p") {
        if (at_ == 0) return {true, "this is the first step"};
        return go_to(at_ - 1);
    }
    if (const auto step = find(word)) return go_to(*step);
    return {true, fmt::format("'{}' is no command, and no step of this trace has that number or letter. {}",
                              escaped(word), command_help)};
}

void walk(step_walk& steps, std::istream& in, std::ostream& out, bool echo) {
    for (const std::string& each : wrapped(command_help, walk_width)) out << each << '\n';
    out << '\n' << steps.shown();
    for (std::string line; out << "\n> " << std::flush && std::getline(in, line);) {
        if (echo) out << escaped(line) << '\n';
        const step_walk::answer answer = steps.obey(line);
        if (!answer.goes_on) return;
        if (answer.refusal.empty()) {
            out << '\n' << steps.shown();
        } else {
            for (const std::string& each : wrapped(answer.refusal, walk_width)) out << each << '\n';
        }
    }
    out << '\n';
}

}  // namespace ordeal::detail
