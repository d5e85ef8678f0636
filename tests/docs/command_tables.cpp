// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_tables.hpp"

#include "program_run.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace ordeal::docs {

namespace {

// A paragraph with a tag, of the manual page: what is described, and how.
struct entry {
    std::string tag;
    std::string text;
};

struct section {
    std::string title;
    lines text;
    std::vector<entry> entries;
};

// The characters that troff spells differently; fonts are left out.
std::string plain(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> spellings{{
        {"\\fB", ""},
        {"\\fI", ""},
        {"\\fR", ""},
        {"\\&", ""},
        {"\\-", "-"},
        {"\\(aq", "'"},
        {"\\(ga", "`"},
        {"\\(ti", "~"},
        {"\\(ha", "^"},
    }};
    std::string result;
    while (!text.empty()) {
        std::size_t taken = 0;
        for (const auto& [spelled, meant] : spellings) {
            if (!text.starts_with(spelled)) continue;
            result += meant;
            taken = spelled.size();
            break;
        }
        if (taken == 0) result += text.front();
        text.remove_prefix(taken == 0 ? 1 : taken);
    }
    return result;
}

std::string unquoted(std::string text) {
    if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
    return text;
}

std::vector<section> read_manual() {
    std::vector<section> result;
    const lines manual = run_ordeal("man");
    for (std::size_t i = 0; i < manual.size(); ++i) {
        const std::string& line = manual[i];
        if (line.starts_with(".SH ") || line.starts_with(".SS ")) {
            result.push_back({unquoted(plain(line.substr(4))), {}, {}});
        } else if (result.empty()) {
            continue;
        } else if (line == ".TP" && i + 2 < manual.size()) {
            result.back().entries.push_back({plain(manual[i + 1]), plain(manual[i + 2])});
            i += 2;
        } else {
            result.back().text.push_back(plain(line));
        }
    }
    return result;
}

const std::vector<section>& manual() {
    static const std::vector<section> kept = read_manual();
    return kept;
}

const section& titled(const std::string& title) {
    for (const section& each : manual()) {
        if (each.title == title) return each;
    }
    throw std::runtime_error("the manual page has no section " + title);
}

// "ordeal check [OPTION]... [PATTERN]" -> "check"; of other sections nothing.
std::string command_of(const section& of) {
    const lines words = words_of(of.title);
    return words.size() > 1 && words.front() == "ordeal" ? words[1] : std::string();
}

// In a cell a bar must be written out.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
    return result;
}

std::string without_dot(std::string text) {
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// "Seconds; 20 if not given." -> "Seconds", "20"
std::pair<std::string, std::string> meaning_and_default(const std::string& text) {
    constexpr std::string_view end = " if not given";
    const std::string whole = without_dot(text);
    const std::size_t begin = whole.rfind("; ");
    if (!whole.ends_with(end) || begin == std::string::npos) return {whole, ""};
    return {whole.substr(0, begin), whole.substr(begin + 2, whole.size() - begin - 2 - end.size())};
}

lines options_table(const std::string& command) {
    for (const section& each : manual()) {
        if (command_of(each) != command) continue;
        lines result{"| option | default | meaning |", "|---|---|---|"};
        for (const entry& option : each.entries) {
            const auto [meaning, usual] = meaning_and_default(option.text);
            const bool is_value = !usual.empty() && usual.find(' ') == std::string::npos;
            const std::string value = is_value ? "`" + usual + "`" : usual;
            result.push_back("| `" + cell(option.tag) + "` | " + value + (value.empty() ? "| " : " | ") +
                             cell(meaning) + " |");
        }
        return result;
    }
    throw std::runtime_error("the program has no command " + command);
}

// "| `-j, --jobs N` | ..." -> "`--jobs`"
std::string name_in(const std::string& row) {
    const std::size_t begin = row.find('`') + 1;
    const std::string tag = row.substr(begin, row.find('`', begin) - begin);
    const std::size_t at = tag.find("--");
    return "`" + (at == std::string::npos ? tag : tag.substr(at, tag.find(' ', at) - at)) + "`";
}

// Rows that are the same for another command become one row, which refers to that command.
lines without_rows_of(const std::string& other, const lines& table) {
    const lines theirs = options_table(other);
    constexpr std::size_t heading = 2;
    lines result;
    std::string shared;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (i < heading || std::ranges::find(theirs, table[i]) == theirs.end()) {
            result.push_back(table[i]);
        } else {
            shared += (shared.empty() ? "" : ", ") + name_in(table[i]);
        }
    }
    if (!shared.empty()) result.push_back("| " + shared + " | | as for [`" + other + "`](#" + other + ") |");
    return result;
}

lines commands_table() {
    lines result{"| command | what it does |", "|---|---|"};
    for (const section& each : manual()) {
        const std::string name = command_of(each);
        if (name.empty()) continue;
        if (each.text.empty()) throw std::runtime_error("nothing is said of the command " + name);
        result.push_back("| [`" + each.title + "`](#" + name + ") | " + without_dot(each.text.front()) + " |");
    }
    return result;
}

lines entries_table(const std::string& title, const std::string& heading) {
    lines result{"| " + heading + " | meaning |", "|---|---|"};
    for (const entry& each : titled(title).entries) {
        result.push_back("| `" + each.tag + "` | " + cell(without_dot(each.text)) + " |");
    }
    return result;
}

}  // namespace

bool is_command_table(const directive& of) {
    static constexpr std::array kinds{"commands", "options", "exit-codes", "environment"};
    const lines words = words_of(of.argument);
    return of.kind == "table" && !words.empty() && std::ranges::find(kinds, words.front()) != kinds.end();
}

lines command_table(const directive& of) {
    const lines words = words_of(of.argument);
    if (words.front() == "commands") return commands_table();
    if (words.front() == "exit-codes") return entries_table("EXIT STATUS", "exit code");
    if (words.front() == "environment") return entries_table("ENVIRONMENT", "variable");
    if (words.size() != 2) throw std::runtime_error("options of which command?");
    lines result = options_table(words[1]);
    for (const auto& [key, value] : of.options) {
        if (key != "same-as") throw std::runtime_error("an unknown option of a table: " + key);
        result = without_rows_of(value, result);
    }
    return result;
}

lines command_names() {
    lines result;
    for (const section& each : manual()) {
        if (const std::string name = command_of(each); !name.empty()) result.push_back(name);
    }
    return result;
}

}  // namespace ordeal::docs
