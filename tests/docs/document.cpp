// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "document.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace ordeal::docs {

namespace {

constexpr std::array kinds{"run",   "replay",   "source", "table", "check", "mutant",  "repair",
                           "audit", "verdicts", "file",   "shell", "step",  "tutorial"};

[[noreturn]] void fail(const document& in, std::size_t line, const std::string& what) {
    throw std::runtime_error(in.path + ":" + std::to_string(line + 1) + ": " + what);
}

std::pair<std::string, std::string> key_and_value(const document& in, std::size_t line, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) fail(in, line, "a comment that is no `key: value`");
    return {trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1))};
}

// Other comments are for readers; they do not begin with one small word and a colon.
bool is_directive(std::string_view text) {
    const std::string begin = trimmed(text.substr(0, text.find(':')));
    return text.find(':') != std::string_view::npos &&
           begin.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
}

// What the line of a `check` or a `mutant` says, as its argument:
//   - `exhibit/plain_bool/set_against_await`: violated: data race
//   - by `relacy`, mutant of `task`, `complete` exchange as release: undecided
std::string argument_in(const std::string& line) {
    static const std::regex said(R"(- (?:by `(\w+)`, )?(?:mutant of )?`([^`]+)`(?:, `([^`]+)` (\w+) as (\w+))?: (.+))");
    std::smatch found;
    if (!std::regex_match(line, found, said)) return {};
    std::string result = found[1].matched ? "@" + found.str(1) : "";
    for (const std::size_t part : {2U, 3U, 4U, 5U}) {
        if (found[part].matched) result += (result.empty() ? "" : " ") + found.str(part);
    }
    const std::string verdict = found.str(6);
    const std::size_t colon = verdict.find(": ");
    if (colon == std::string::npos) return result + " " + verdict;
    return result + " " + verdict.substr(0, colon) + " \"" + verdict.substr(colon + 2) + "\"";
}

void read_comment(document& in, std::size_t& line, std::size_t begin) {
    directive result;
    result.page = in.path;
    result.first = line;
    result.visible = trimmed(std::string_view(in.text[line]).substr(0, begin));
    std::string_view rest = std::string_view(in.text[line]).substr(begin + 4);
    if (!is_directive(rest)) return;
    for (bool first = true;; first = false) {
        const std::size_t end = rest.find("-->");
        auto [key, value] = key_and_value(in, line, rest.substr(0, end));
        if (first) {
            result.kind = std::move(key);
            result.argument = std::move(value);
        } else {
            result.options.emplace_back(std::move(key), std::move(value));
        }
        if (end != std::string_view::npos) break;
        if (++line == in.text.size()) fail(in, result.first, "a comment without an end");
        rest = in.text[line];
    }
    result.last = line;
    if (result.argument.empty() && (result.kind == "check" || result.kind == "mutant")) {
        result.argument = argument_in(result.visible);
        if (result.argument.empty()) fail(in, result.first, "a line that names no verdict");
    }
    if (std::ranges::find(kinds, result.kind) == kinds.end()) {
        fail(in, result.first, "an unknown kind of comment: " + result.kind);
    }
    in.directives.push_back(std::move(result));
}

// The Markdown files in a folder of the project and in the folders in it, but those of packages that npm fetched and the
// golden files of tests.
lines markdown_below(const std::string& folder) {
    namespace fs = std::filesystem;
    const fs::path root = ORDEAL_SOURCE_ROOT;
    lines result;
    for (fs::recursive_directory_iterator entry(root / folder), end; entry != end; ++entry) {
        const std::string name = entry->path().filename().string();
        if (name == "node_modules" || name == "data") entry.disable_recursion_pending();
        if (name.ends_with(".md")) result.push_back(fs::relative(entry->path(), root).generic_string());
    }
    return result;
}

}  // namespace

lines document_paths() {
    lines result{"README.md", "CONTRIBUTING.md"};
    for (const char* folder : {"docs", "reference-data"}) {
        for (std::string& each : markdown_below(folder)) result.push_back(std::move(each));
    }
    std::ranges::sort(result);
    return result;
}

lines markdown_paths() {
    lines result;
    for (const auto& entry : std::filesystem::directory_iterator(ORDEAL_SOURCE_ROOT)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && name.ends_with(".md")) result.push_back(name);
        if (!entry.is_directory() || name == "build" || name == "out" || name.starts_with('.')) continue;
        for (std::string& each : markdown_below(name)) result.push_back(std::move(each));
    }
    std::ranges::sort(result);
    return result;
}

document load(const std::string& path) {
    document result{.path = path, .text = lines_of(content(path)), .code = {}, .directives = {}};
    bool inside = false;
    for (const std::string& line : result.text) {
        const bool fence = trimmed(line).starts_with("```");
        result.code.push_back(inside || fence);
        if (fence) inside = !inside;
    }
    if (inside) throw std::runtime_error(path + ": a fenced block without an end");
    for (std::size_t i = 0; i < result.text.size(); ++i) {
        const std::size_t begin = result.code[i] ? std::string::npos : result.text[i].find("<!--");
        if (begin != std::string::npos) read_comment(result, i, begin);
    }
    return result;
}

lines lines_of(const std::string& text) {
    lines result;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
}

std::string content(const std::string& path) {
    std::ifstream in(std::filesystem::path(ORDEAL_SOURCE_ROOT) / path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

lines words_of(std::string_view text) {
    lines result;
    while (!(text = text.substr(std::min(text.find_first_not_of(' '), text.size()))).empty()) {
        const bool quoted = text.front() == '"';
        const std::size_t begin = quoted ? 1 : 0;
        const std::size_t end = std::min(text.find(quoted ? '"' : ' ', begin), text.size());
        result.emplace_back(text.substr(begin, end - begin));
        text = text.substr(std::min(end + begin, text.size()));
    }
    return result;
}

std::vector<code_span> code_spans(const document& of) {
    std::vector<code_span> result;
    for (std::size_t i = 0; i < of.text.size(); ++i) {
        if (of.code[i]) continue;
        const std::string& line = of.text[i];
        for (std::size_t begin = line.find('`'); begin != std::string::npos;) {
            const std::size_t end = line.find('`', begin + 1);
            if (end == std::string::npos) break;
            result.push_back({line.substr(begin + 1, end - begin - 1), i});
            begin = line.find('`', end + 1);
        }
    }
    return result;
}

}  // namespace ordeal::docs
