// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/compiler_words.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <regex>

namespace ordeal::detail {

namespace {

// Flags whose value is behind them or the next word.
constexpr std::array path_flags{"-isystem", "-idirafter", "-iquote", "-include", "-imacros", "-I", "-L"};
constexpr std::array joined_flags{"-D", "-U", "-l", "-o", "-x"};
// Their value is the next word always.
constexpr std::array flags_with_word{"-MF",     "-MT", "-MQ",     "-Xclang", "-Xassembler", "-Xpreprocessor",
                                     "-target", "-B",  "--param", "-mllvm",  "-isysroot",   "--sysroot"};
constexpr std::array linker_flags_with_word{"-T", "-u", "-z"};

constexpr std::array endings{".cpp", ".cc", ".cxx", ".c++", ".C", ".c"};

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

template <class Names>
const char* name_that_begins(const Names& names, const std::string& word) {
    const auto found = std::ranges::find_if(names, [&](const char* each) { return word.starts_with(each); });
    return found == std::end(names) ? nullptr : *found;
}

bool is_one_of(const auto& names, std::string_view word) { return std::ranges::find(names, word) != std::end(names); }

[[noreturn]] void refuse_command(const std::string& why) { throw command_error(exit_code::usage, why); }

bool begins_with_one_of(std::string_view word, std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view each) { return word.starts_with(each); });
}

// Why the command does not make a program of these sources; empty for another flag.
std::string why_no_program(const std::string& flag) {
    constexpr std::array no_link{"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"};
    if (is_one_of(no_link, flag)) {
        return fmt::format(
            "the command compiles, and links no program ({}): give the one that builds the tests from all of their "
            "sources, with its libraries",
            flag);
    }
    if (flag == "-shared") return "the command makes a shared library (-shared), not a program of tests";
    if (flag.starts_with("-fsanitize")) return flag + " cannot be combined with a check; leave it out";
    if (flag == "-x") return "-x is not understood: the ending of a source's name says its language";
    return {};
}

// No matter for a check: what else a build leaves behind, and warnings, which the command's own compiler has given.
bool is_no_matter(const std::string& flag) {
    const bool for_a_tool = begins_with_one_of(flag, {"-Wl,", "-Wa,", "-Wp,"});
    return (flag.starts_with("-W") && !for_a_tool) || flag == "-w" ||
           begins_with_one_of(flag, {"-pedantic", "-M", "-fdiagnostics-", "-fcolor-", "-pipe", "-save-temps", "-ftime-",
                                     "--coverage", "-fprofile-", "-ftest-coverage", "-fcoverage-"});
}

// The tests become a shared library whose missing functions are the model's. It needs debug information, and a map of
// what was linked.
bool is_for_another_program(const std::string& flag) {
    if (flag.starts_with("-Wl,")) {
        return std::ranges::any_of(std::array{"no-undefined", "-z,defs", "-Map", "--strip", ",-s"},
                                   [&](const char* each) { return flag.find(each) != std::string::npos; });
    }
    return begins_with_one_of(flag, {"-flto", "-fno-lto", "-fPIE", "-fpie", "-fno-pie", "-fno-PIE", "-fPIC", "-fpic",
                                     "-fno-pic", "-fno-PIC", "-pie", "-no-pie", "-static"}) ||
           flag == "-s" || flag == "-g0" || flag == "-rdynamic";
}

// "ccache c++": the first word that is a compiler. What comes before it is no more than its launcher.
std::vector<std::string>::const_iterator find_compiler(const std::vector<std::string>& words) {
    static const std::regex compiler(R"((.*-)?(c\+\+|g\+\+|clang\+\+|cc|gcc|clang|c99|c89)(-[0-9.]+)?)");
    static const std::regex launcher("ccache|sccache|distcc|icecc|env|[A-Za-z_][A-Za-z_0-9]*=.*");
    const auto file_of = [](const std::string& word) { return word.substr(word.rfind('/') + 1); };
    const auto found = std::ranges::find_if_not(
        words, [&](const std::string& each) { return std::regex_match(file_of(each), launcher); });
    if (found != words.end() && std::regex_match(file_of(*found), compiler)) return found;
    refuse_command(
        fmt::format("'{}' is no compiler: after -- stands the command that builds the tests, as in "
                    "{} test -- c++ -O1 tests.cpp -lgtest",
                    found == words.end() ? words.back() : *found, program_name()));
}

}  // namespace

std::vector<compiler_flag> flags_of(const std::vector<std::string>& words) {
    std::vector<compiler_flag> result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value_of = [&](const char* name) {
            const std::string rest = word.substr(std::string_view(name).size());
            return rest.empty() && i + 1 < words.size() ? words[++i] : rest;
        };
        if (!word.starts_with('-') || word == "-") {
            result.push_back({{}, absolute(word)});
        } else if (word == "-Xlinker") {
            result.push_back({"-Wl," + value_of("-Xlinker"), {}});
        } else if (is_one_of(linker_flags_with_word, word)) {
            result.push_back({"-Wl," + word + ',' + value_of(word.c_str()), {}});
        } else if (is_one_of(flags_with_word, word)) {
            const std::string value = value_of(word.c_str());
            result.push_back({word, value, true});
        } else if (const char* const of_path = name_that_begins(path_flags, word)) {
            const std::string value = value_of(of_path);
            result.push_back({of_path, absolute(value)});
        } else if (const char* const name = name_that_begins(joined_flags, word)) {
            const std::string value = value_of(name);
            result.push_back({name, value});
        } else {
            result.push_back({word, {}});
        }
    }
    return result;
}

bool is_for_linker(const compiler_flag& flag) {
    constexpr std::array flags{"-l", "-L", "-s", "-rdynamic", "-r"};
    return flag.name.empty() || is_one_of(flags, flag.name) ||
           begins_with_one_of(flag.name, {"-Wl,", "-fuse-ld=", "-static", "-nostdlib", "-nodefaultlibs"});
}

std::string cmake_word(const compiler_flag& flag) {
    if (!flag.apart) return flag.name + flag.value;
    std::string value;
    for (const char c : flag.value) {
        if (c == '"' || c == '\\') value += '\\';
        value += c;
    }
    return "SHELL:" + flag.name + " \"" + value + '"';
}

bool is_source(std::string_view word) {
    return !word.starts_with('-') &&
           std::ranges::any_of(endings, [&](const char* each) { return word.ends_with(each); });
}

std::string source_endings() { return fmt::format("{}", fmt::join(endings, ", ")); }

compiler_command parse_compiler_command(const std::vector<std::string>& words) {
    const auto compiler = find_compiler(words);
    compiler_command result;
    result.all_in_cxx = compiler->find("++") != std::string::npos;
    for (const compiler_flag& each : flags_of({compiler + 1, words.end()})) {
        if (const std::string why = why_no_program(each.name); !why.empty()) refuse_command(why);
        if (each.name == "-o") {
            result.output = each.value;
        } else if (each.name.empty() && is_source(each.value)) {
            result.sources.push_back(each.value);
        } else if (each.name.starts_with('@') || (each.name.empty() && each.value.find("/@") != std::string::npos)) {
            refuse_command(fmt::format("a file of options is not read: write out what '{}' has", each.value));
        } else if (!is_no_matter(each.name) && !is_for_another_program(each.name)) {
            (is_for_linker(each) ? result.linked : result.flags).push_back(each);
        }
    }
    if (result.sources.empty()) {
        refuse_command(
            fmt::format("the command has no source, which would end with one of {}: what is compiled already cannot "
                        "be checked",
                        source_endings()));
    }
    return result;
}

}  // namespace ordeal::detail
