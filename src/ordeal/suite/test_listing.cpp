// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/suite/test_listing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ordeal::detail {

namespace {

using list_of_names = std::vector<std::string>;

list_of_names lines_of(std::string_view text) {
    list_of_names result;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        result.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

std::string escaped_for(std::string_view name, std::string_view special) {
    std::string result;
    for (const char each : name) {
        if (special.find(each) != std::string_view::npos) result += '\\';
        result += each;
    }
    return result;
}

// "Suite/0.  # TypeParam = int" and below it "  Name/1  # GetParam() = 2".
list_of_names names_of_googletest(std::string_view output) {
    list_of_names result;
    std::string suite;
    for (const std::string& line : lines_of(output)) {
        const std::string_view name = trimmed(std::string_view(line).substr(0, line.find("  #", 2)));
        if (!line.starts_with("  ")) {
            suite = name.ends_with('.') ? std::string(name) : "";
        } else if (!suite.empty() && name.size() > 2) {
            std::string whole = suite + std::string(name.substr(2));
            // As the framework has it: these are not run unless one asks for them.
            const bool disabled = whole.starts_with("DISABLED_") || whole.find("/DISABLED_") != std::string::npos ||
                                  whole.find(".DISABLED_") != std::string::npos;
            if (!disabled) result.push_back(std::move(whole));
        }
    }
    return result;
}

// A name on each line.
list_of_names names_of_catch2(std::string_view output) {
    list_of_names result;
    for (const std::string& line : lines_of(output)) {
        if (line.find("nrecogni") != std::string::npos && line.find("token") != std::string::npos) return {};
        // One that begins with # stands in quotation marks.
        const bool quoted = line.size() > 1 && line.starts_with("\"#") && line.ends_with('"');
        if (!trimmed(line).empty()) result.push_back(quoted ? line.substr(1, line.size() - 2) : line);
    }
    return result;
}

// A name on each line, between two rules; remarks begin with [doctest].
list_of_names names_of_doctest(std::string_view output) {
    list_of_names result;
    bool inside = false;
    for (const std::string& line : lines_of(output)) {
        if (line.starts_with("==========")) {
            if (inside) return result;
            inside = true;
        } else if (inside && !line.starts_with("[doctest] ")) {
            result.push_back(line);
        }
    }
    return {};
}

// A tree by indentation, four blanks a level; * marks what is enabled, and a description may stand behind a colon.
list_of_names names_of_boost(std::string_view output) {
    struct unit {
        std::size_t depth;
        std::string path;
        bool enabled;
        bool leaf = true;
    };
    std::vector<unit> all;
    std::vector<std::string> above;
    for (const std::string& line : lines_of(output)) {
        const std::size_t indent = line.find_first_not_of(' ');
        if (indent == std::string::npos) continue;
        const std::size_t depth = indent / 4;
        std::string_view name = trimmed(std::string_view(line).substr(indent));
        if (const std::size_t description = name.find(": "); description != std::string_view::npos)
            name = name.substr(0, description);
        if (name.ends_with(':')) name.remove_suffix(1);
        const bool enabled = name.ends_with('*');
        if (enabled) name.remove_suffix(1);
        if (indent % 4 != 0 || depth > above.size() || name.empty()) return {};
        above.resize(depth);
        if (depth > 0) {
            const auto parent = std::ranges::find_if(all.rbegin(), all.rend(),
                                                     [&](const unit& each) { return each.depth + 1 == depth; });
            parent->leaf = false;
        }
        above.emplace_back(name);
        std::string path;
        for (const std::string& each : above) path += (path.empty() ? "" : "/") + each;
        all.push_back({depth, std::move(path), enabled});
    }
    list_of_names result;
    for (unit& each : all) {
        if (each.leaf && each.enabled) result.push_back(std::move(each.path));
    }
    return result;
}

const std::array<test_framework_words, 4>& all_words() {
    static const auto& instance = *new std::array<test_framework_words, 4>{{
        {"googletest",
         {{"--gtest_list_tests"}},
         &names_of_googletest,
         [](std::string_view name) {
             return list_of_names{"--gtest_filter=" + std::string(name), "--gtest_color=no", "--gtest_repeat=1"};
         }},
        {"catch2",
         // Version 2 has a listing of names alone, 3 a quiet one.
         {{"--list-test-names-only"}, {"--list-tests", "--verbosity", "quiet"}},
         &names_of_catch2,
         [](std::string_view name) {
             std::string word = escaped_for(name, ",[]\\\"");
             if (word.starts_with('-') || word.starts_with('~')) word.insert(0, 1, '\\');
             return list_of_names{std::move(word)};
         }},
        {"doctest",
         {{"--no-colors", "--list-test-cases"}},
         &names_of_doctest,
         [](std::string_view name) {
             return list_of_names{"--test-case=" + escaped_for(name, ",\\"), "--case-sensitive", "--no-colors"};
         }},
        {"boost",
         {{"--list_content=HRF", "--color_output=no"}},
         &names_of_boost,
         [](std::string_view name) {
             return list_of_names{"--run_test=" + std::string(name), "--color_output=no", "--catch_system_errors=no",
                                  "--detect_memory_leaks=0"};
         }},
    }};
    return instance;
}

}  // namespace

const test_framework_words* words_of_framework(std::string_view name) {
    const auto found = std::ranges::find(all_words(), name, &test_framework_words::name);
    return found == all_words().end() ? nullptr : &*found;
}

}  // namespace ordeal::detail
