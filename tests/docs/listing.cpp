// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "listing.hpp"

#include "cost_tables.hpp"
#include "example_texts.hpp"
#include "program_run.hpp"
#include "tables.hpp"
#include "tutorial.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace ordeal::docs {

namespace {

// A line with those that belong to it: the second and later rows of a step of a trace.
std::vector<lines> groups_of(const lines& text) {
    std::vector<lines> result;
    for (const std::string& line : text) {
        const std::size_t bar = line.find('|');
        const bool continues = bar != std::string::npos && bar > 0 && line.find_first_not_of(' ') == bar;
        if (!continues || result.empty()) result.emplace_back();
        result.back().push_back(line);
    }
    return result;
}

bool holds(const lines& group, const std::string& text) {
    return std::ranges::any_of(group, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

// Which groups to keep.
class filter {
public:
    explicit filter(const directive& of) {
        for (const auto& [key, value] : of.options) {
            if (key == "from")
                from_ = value;
            else if (key == "to")
                to_ = value;
            else if (key == "without")
                without_.push_back(value);
            else if (key == "without-row")
                without_rows_.push_back(value);
            else if (key != "exit" || of.kind != "step")
                throw std::runtime_error("an unknown option of a listing: " + key);
        }
        begun_ = !from_;
    }

    bool keeps(const lines& group) {
        if (!begun_) begun_ = holds(group, *from_);
        if (!begun_ || ended_) return false;
        ended_ = to_ && holds(group, *to_);
        return std::ranges::none_of(without_, [&](const std::string& text) { return holds(group, text); });
    }

    // A row of a step stays as three dots.
    lines with_rows_cut(lines group) const {
        for (std::string& row : group) {
            const bool cut = std::ranges::any_of(
                without_rows_, [&](const std::string& text) { return row.find(text) != std::string::npos; });
            if (cut) row = row.substr(0, row.find_last_of('|') + 1) + "   ...";
        }
        return group;
    }

    void require_matched() const {
        if (!begun_) throw std::runtime_error("no line holds \"" + *from_ + "\"");
        if (to_ && !ended_) throw std::runtime_error("no line holds \"" + *to_ + "\"");
    }

private:
    std::optional<std::string> from_;
    std::optional<std::string> to_;
    lines without_;
    lines without_rows_;
    bool begun_ = false;
    bool ended_ = false;
};

lines filtered(const directive& of, const lines& text, bool mark) {
    filter keep(of);
    lines result;
    bool gap = false;
    for (const lines& group : groups_of(text)) {
        if (!keep.keeps(group)) {
            gap = gap || !group.front().empty();
            continue;
        }
        if (gap && mark) result.emplace_back("...");
        gap = false;
        for (std::string& line : keep.with_rows_cut(group)) result.push_back(std::move(line));
    }
    while (!result.empty() && result.back().empty()) result.pop_back();
    keep.require_matched();
    return result;
}

lines command_block(const directive& of, const std::string& command) {
    lines result{"```console", "$ " + command};
    for (std::string& line : filtered(of, run_command(command), true)) result.push_back(std::move(line));
    result.emplace_back("```");
    return result;
}

lines tutorial_block(const directive& of) {
    lines result{"```console", "$ " + of.argument};
    for (std::string& line : filtered(of, tutorial_output(of), true)) result.push_back(std::move(line));
    result.emplace_back("```");
    return result;
}

// The lines lose the indentation that they have in common.
lines source_block(const directive& of, const lines& source) {
    const lines text = filtered(of, source, false);
    std::size_t indentation = std::string::npos;
    for (const std::string& line : text) indentation = std::min(indentation, line.find_first_not_of(' '));
    lines result{of.argument.ends_with(".txt") ? "```cmake" : "```cpp"};
    for (const std::string& line : text) result.push_back(line.substr(std::min(indentation, line.size())));
    result.emplace_back("```");
    return result;
}

}  // namespace

bool generates(const directive& of) {
    if (is_cost_table(of)) return is_of_this_compiler(of);
    if (is_of_an_example(of)) return true;
    if (of.kind == "step" || of.kind == "tutorial") return true;
    return of.kind == "run" || of.kind == "replay" || of.kind == "source" || of.kind == "table";
}

lines generated(const directive& of) {
    if (of.kind == "table") return table(of);
    if (of.kind == "source") return source_block(of, lines_of(content(of.argument)));
    if (is_of_an_example(of)) return example_text(of);
    if (of.kind == "tutorial") {
        if (const lines file = tutorial_file(of.argument); !file.empty()) return source_block(of, file);
    }
    if (of.kind == "step" || of.kind == "tutorial") return tutorial_block(of);
    if (of.kind == "run") return command_block(of, of.argument);
    const auto& found = mutant(words_of(of.argument));
    if (!found.at("replay").is_string()) throw std::runtime_error("no violation to replay: " + of.argument);
    return command_block(of, "ordeal replay '" + found.at("replay").get<std::string>() + "'");
}

lines present(const document& in, const directive& of) {
    const auto begin = in.text.begin() + static_cast<std::ptrdiff_t>(of.last) + 1;
    auto end = begin;
    if (is_of_an_example(of)) {
        end = std::find(begin, in.text.end(), end_of_example_text);
        if (end == in.text.end()) throw std::runtime_error("no " + std::string(end_of_example_text) + " after this");
        return {begin, end};
    }
    const bool fenced = begin != in.text.end() && begin->starts_with("```");
    if (fenced) {
        end = std::find(begin + 1, in.text.end(), "```") + 1;
    } else {
        while (end != in.text.end() && end->starts_with('|')) ++end;
    }
    return {begin, end};
}

lines updated(const document& of) {
    lines result;
    std::size_t next = 0;
    for (const directive& each : of.directives) {
        if (!generates(each)) continue;
        while (next <= each.last) result.push_back(of.text[next++]);
        for (std::string& line : generated(each)) result.push_back(std::move(line));
        next += present(of, each).size();
    }
    while (next < of.text.size()) result.push_back(of.text[next++]);
    return result;
}

}  // namespace ordeal::docs
