// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_tables.hpp"
#include "document.hpp"
#include "program_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <utility>

namespace ordeal::docs {

namespace {

namespace fs = std::filesystem;

fs::path in_project(const std::string& path) { return fs::path(ORDEAL_SOURCE_ROOT) / path; }

// What stands between parentheses after "](" .
std::vector<std::string> link_targets(const std::string& line) {
    std::vector<std::string> result;
    for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](", at + 2)) {
        result.push_back(line.substr(at + 2, line.find(')', at) - at - 2));
    }
    return result;
}

// The name under which a heading can be linked to.
std::string anchor_of(const std::string& heading) {
    std::string result;
    for (const char c : trimmed(heading.substr(heading.find_first_not_of('#')))) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '_') result += static_cast<char>(std::tolower(byte));
        if (c == ' ') result += '-';
    }
    return result;
}

bool has_anchor(const std::string& path, const std::string& anchor) {
    const document in = load(path);
    for (std::size_t i = 0; i < in.text.size(); ++i) {
        if (!in.code[i] && in.text[i].starts_with('#') && anchor_of(in.text[i]) == anchor) return true;
    }
    return false;
}

bool begins_with_a_folder_of_ours(const std::string& text) {
    static constexpr std::array folders{"src/",      "docs/",   "ci/",         "tests/",         "model_tests/",
                                        "cmake/",    "corpus/", "tsan_tests/", "bench/",         ".ci/",
                                        "examples/", "stress/", "web/",        "reference-data/"};
    return std::ranges::any_of(folders, [&](const char* folder) { return text.starts_with(folder); });
}

// The words that are paths, without what a sentence adds to them.
std::vector<std::string> paths_in(const std::string& text) {
    std::vector<std::string> result;
    for (std::string word : words_of(text)) {
        if (word.starts_with("./")) word.erase(0, 2);
        word.erase(std::min(word.find(':'), word.size()));
        if (begins_with_a_folder_of_ours(word) && word.find('*') == std::string::npos) result.push_back(word);
    }
    return result;
}

// Commands that begin with `ordeal` or its path, in code spans and in fenced blocks.
std::vector<std::string> commands_in(const document& in) {
    std::vector<std::string> texts;
    for (const code_span& span : code_spans(in)) texts.push_back(span.text);
    for (std::size_t i = 0; i < in.text.size(); ++i) {
        if (in.code[i]) texts.push_back(trimmed(in.text[i]));
    }
    std::vector<std::string> result;
    for (std::string text : texts) {
        if (text.starts_with("$ ")) text.erase(0, 2);
        if (text.starts_with("build/release/bin/")) text.erase(0, std::string_view("build/release/bin/").size());
        if (text.starts_with("ordeal ")) result.push_back(text);
    }
    return result;
}

// The options in a text: "--json", "--help".
std::set<std::string> options_in(const std::string& text) {
    std::set<std::string> result;
    for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
        std::size_t end = at + 2;
        while (end < text.size() && (std::islower(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-'))
            ++end;
        const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == ',';
        if (begins && end > at + 2) result.insert(text.substr(at, end - at));
    }
    return result;
}

const std::set<std::string>& options_of(const std::string& command) {
    static std::map<std::string, std::set<std::string>> all;
    auto found = all.find(command);
    if (found != all.end()) return found->second;
    std::string help;
    for (const std::string& line : run_ordeal(command + " --help")) {
        if (line.starts_with("Examples:")) break;
        help += line + ' ';
    }
    return all.emplace(command, options_in(help)).first->second;
}

bool is_scenario_or_pattern(const std::string& text) {
    static constexpr std::array subjects{"exhibit/", "event/", "shared_event/", "task/", "sync_wait/"};
    return std::ranges::any_of(subjects, [&](const char* each) { return text.starts_with(each); }) &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_/*") == std::string::npos;
}

bool matches(const std::string& pattern, const std::string& name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) return pattern == name;
    return name.starts_with(pattern.substr(0, star)) && name.ends_with(pattern.substr(pattern.rfind('*') + 1));
}

// What `ordeal test [WORD...] [-- COMPILER WORD... [-- COMMAND]]` runs: "ordeal COMMAND", without that of the compiler.
std::string tested_command(const std::string& written) {
    const auto words = words_of(written);
    std::string text;
    int dashes = 0;
    for (auto word = words.begin() + 2; word != words.end(); ++word) {
        dashes += *word == "--" ? 1 : 0;
        if (dashes != 1 && *word != "--") text += ' ' + *word;
    }
    const auto names = command_names();
    const auto first = words_of(text);
    const bool named = !first.empty() && std::ranges::find(names, first.front()) != names.end();
    return (named ? "ordeal" : "ordeal check") + text;
}

// What `ordeal try SOURCE... [COMMAND] [-- FLAG... [-- COMMAND]]` runs: "ordeal COMMAND", without the flags.
std::string tried_command(const std::string& text) {
    std::string result = "ordeal";
    bool flags = false;
    for (const std::string& word : words_of(text.substr(0, text.find(" # ")))) {
        if (word == "--") {
            flags = !flags;
        } else if (!flags && word != "ordeal" && word != "try" && word.find_first_of(".[$") == std::string::npos) {
            result += ' ' + word;
        }
    }
    return words_of(result).size() == 1 || words_of(result)[1].starts_with('-') ? "ordeal check" + result.substr(6)
                                                                                : result;
}

}  // namespace

TEST_CASE("the front page has the commands of a checkout, with their times") {
    const lines page = load("README.md").text;
    for (const auto& [command, takes] :
         {std::pair{"ci/audit.sh", true}, {"ci/test.sh", true}, {"ci/package.sh", false}}) {
        INFO(command);
        const auto line = std::ranges::find_if(page, [&](const std::string& each) {
            return each.find('`' + ("./" + std::string(command)) + '`') != std::string::npos;
        });
        REQUIRE(line != page.end());
        const std::string last = line->substr(line->rfind("| ", line->size() - 3) + 1);
        if (takes) CHECK(std::regex_match(last, std::regex(R"( [1-9][0-9]* (minutes|seconds) \|)")));
        const auto rights = fs::status(in_project(command)).permissions();
        CHECK((rights & fs::perms::owner_exec) == fs::perms::owner_exec);
    }
}

TEST_CASE("every relative link of the documents leads to a file, and to a heading in it") {
    std::size_t links = 0;
    for (const std::string& path : markdown_paths()) {
        const document in = load(path);
        for (std::size_t i = 0; i < in.text.size(); ++i) {
            if (in.code[i]) continue;
            for (const std::string& link : link_targets(in.text[i])) {
                if (link.find("://") != std::string::npos) continue;
                INFO(path << ":" << i + 1 << ": " << link);
                ++links;
                const std::size_t hash = std::min(link.find('#'), link.size());
                const fs::path target =
                    hash == 0 ? fs::path(path) : fs::path(path).parent_path() / link.substr(0, hash);
                const bool exists = fs::exists(in_project(target.string()));
                CHECK(exists);
                if (exists && hash < link.size()) CHECK(has_anchor(target.string(), link.substr(hash + 1)));
            }
        }
    }
    CHECK(links > 0);
}

TEST_CASE("every path of the project that the documents name exists, and scripts can be executed") {
    std::size_t paths = 0;
    for (const std::string& document_path : document_paths()) {
        const document in = load(document_path);
        for (const code_span& span : code_spans(in)) {
            for (const std::string& path : paths_in(span.text)) {
                INFO(document_path << ":" << span.line + 1 << ": " << path);
                ++paths;
                CHECK(fs::exists(in_project(path)));
                if (!path.ends_with(".sh")) continue;
                CHECK((fs::status(in_project(path)).permissions() & fs::perms::owner_exec) != fs::perms::none);
            }
        }
    }
    CHECK(paths > 0);
}

TEST_CASE("every command of the documents exists, with the options that they give it") {
    const lines names = command_names();
    std::size_t commands = 0;
    for (const std::string& path : document_paths()) {
        for (const std::string& written : commands_in(load(path))) {
            INFO(path << ": " << written);
            std::string command = words_of(written).at(1);
            if (command.starts_with("--")) continue;
            ++commands;
            CHECK(std::ranges::find(names, command) != names.end());
            const bool tests = command == "test";
            const std::string text = command == "try" ? tried_command(written)
                                     : tests          ? tested_command(written)
                                                      : written;
            command = words_of(text).at(1);
            CHECK(std::ranges::find(names, command) != names.end());
            for (const std::string& option : options_in(text)) {
                INFO(option);
                CHECK((options_of(command).contains(option) || (tests && options_of("test").contains(option))));
            }
        }
    }
    CHECK(commands > 0);
}

TEST_CASE("an option that stands alone in the documents is one of some command") {
    for (const std::string& path : document_paths()) {
        for (const code_span& span : code_spans(load(path))) {
            if (!span.text.starts_with("--")) continue;
            INFO(path << ":" << span.line + 1 << ": " << span.text);
            const std::string option = *options_in(span.text).begin();
            const bool known =
                options_of("").contains(option) || std::ranges::any_of(command_names(), [&](const std::string& each) {
                    return options_of(each).contains(option);
                });
            CHECK(known);
        }
    }
}

TEST_CASE("every scenario that the documents name is one of the program") {
    std::size_t names = 0;
    for (const std::string& path : document_paths()) {
        for (const code_span& span : code_spans(load(path))) {
            if (!is_scenario_or_pattern(span.text)) continue;
            INFO(path << ":" << span.line + 1 << ": " << span.text);
            ++names;
            const bool known = std::ranges::any_of(
                checked(), [&](const nlohmann::json& each) { return matches(span.text, each.at("name")); });
            CHECK(known);
        }
    }
    CHECK(names > 0);
}

}  // namespace ordeal::docs
