// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/option_values.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace ordeal::detail {

namespace {

template <class Number>
bool read_whole(std::string_view text, Number& result) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    return error == std::errc() && end == text.data() + text.size();
}

// "1000" or "1000,5": executions and, if given, depth.
bool read_pct(std::string_view text, search_options& result) {
    const auto comma = text.find(',');
    if (comma != std::string_view::npos) {
        if (!read_whole(text.substr(comma + 1), result.strategy.depth) || result.strategy.depth == 0) return false;
    }
    return read_whole(text.substr(0, comma), result.strategy.bound) && result.strategy.bound > 0;
}

}  // namespace

bool parse_search(std::string_view text, search_options& result) {
    if (text == "auto" || text == "full") {
        result.strategy.mode = text == "auto" ? search_mode::automatic : search_mode::full;
        return true;
    }
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = text.substr(0, equals);
    const std::string_view number = text.substr(equals + 1);
    if (name == "pct") {
        result.strategy.mode = search_mode::pct;
        return read_pct(number, result);
    }
    using named_mode = std::pair<std::string_view, search_mode>;
    constexpr std::array modes{named_mode{"preemptions", search_mode::preemptions},
                               named_mode{"random", search_mode::random}, named_mode{"pos", search_mode::pos},
                               named_mode{"surw", search_mode::surw}};
    const auto* const named = std::ranges::find(modes, name, &named_mode::first);
    if (named == modes.end()) return false;
    result.strategy.mode = named->second;
    return read_whole(number, result.strategy.bound) &&
           (result.strategy.mode == search_mode::preemptions || result.strategy.bound > 0);
}

std::string search_error(const std::string& text) {
    constexpr std::uint64_t most_preemptions = 1000;  // no execution has so many; more says that it is a mistake
    search_options parsed;
    if (parse_search(text, parsed)) {
        const bool many = parsed.strategy.mode == search_mode::preemptions && parsed.strategy.bound > most_preemptions;
        const bool deep = parsed.strategy.mode == search_mode::pct && parsed.strategy.depth > most_preemptions;
        if (!many && !deep) return "";
        return "more than " + std::to_string(most_preemptions) + (many ? " preemptions" : " of depth") + ": '" + text +
               "'";
    }
    return "not a search: '" + text +
           "'; one of auto, full, preemptions=N, random=N, pct=N, pct=N,DEPTH, pos=N, surw=N";
}

std::string seconds_error(const std::string& text) {
    double value = 0;
    constexpr double year = 365.0 * 24 * 60 * 60;
    const bool number = CLI::detail::lexical_cast(text, value);
    if (!number || !std::isfinite(value) || value < 0) return "not a number of seconds: '" + text + "'";
    return value > year ? "more than a year: '" + text + "' seconds; 0 is without a limit" : "";
}

std::optional<std::uint64_t> parse_memory(std::string_view text) noexcept {
    constexpr double most = 1e15;
    if (text.empty()) return std::nullopt;
    const char unit = text.back();
    const double bytes = unit == 'K' ? 0x1p10 : unit == 'M' ? 0x1p20 : unit == 'G' ? 0x1p30 : unit == 'T' ? 0x1p40 : 0;
    text.remove_suffix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (bytes == 0 || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (!(number > 0) || number * bytes > most) return std::nullopt;
    return static_cast<std::uint64_t>(number * bytes);
}

std::string memory_error(const std::string& text) {
    // With the processes that share it.
    constexpr std::uint64_t least = std::uint64_t{32} << 20;
    const auto bytes = parse_memory(text);
    if (!bytes) return "no amount of memory: '" + text + "'; a number and its unit, as 512M or 2G";
    return *bytes < least ? "less than 32M, which a search may need: '" + text + "'" : "";
}

// The library takes "-1" for the largest number.
std::string whole_number_error(const std::string& text) {
    std::uint64_t value = 0;
    return read_whole(text, value) ? "" : "not a whole number: '" + text + "'";
}

std::optional<client_size> parse_client_size(std::string_view text) {
    client_size size;
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    const auto read = [](std::string_view number, unsigned& into) {
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), into);
        return error == std::errc() && end == number.data() + number.size();
    };
    if (!read(text.substr(0, cross), size.threads) || !read(text.substr(cross + 1), size.calls)) return std::nullopt;
    return size;
}

std::string client_size_error(const std::string& text) {
    return parse_client_size(text) ? "" : "no size of clients: '" + text + "'; threads x calls of each, as 3x2";
}

std::string acceptance_error(const std::string& text) {
    if (text.starts_with('@')) {
        std::vector<acceptance> kept;
        return read_acceptances(text.substr(1), kept);
    }
    const auto parsed = parse_acceptance(text);
    if (!parsed) return "not KIND, KIND@FILE, KIND@FILE:LINE or @FILE, KIND being one of a violation: '" + text + "'";
    const std::string kind(to_string(parsed->kind));
    if (!can_be_accepted(parsed->kind)) return "no search can continue past '" + kind + "'";
    if (!has_location(parsed->kind) && !parsed->file.empty()) {
        return "'" + kind + "' is of an execution, not of a place: give it without '@" + parsed->file + "'";
    }
    return {};
}

std::string read_acceptances(const std::string& file, std::vector<acceptance>& into) {
    std::error_code error;
    std::ifstream in(file);
    if (!in || !std::filesystem::exists(file, error) || std::filesystem::is_directory(file, error)) {
        return "cannot read '" + file + "'";
    }
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#') continue;
        // A comment may follow: no file is looked for whose name has " #" in it.
        const std::size_t comment = std::min(line.find(" #"), line.size());
        const std::string text = line.substr(begin, line.find_last_not_of(" \t\r", comment - 1) + 1 - begin);
        const std::string problem =
            text.starts_with('@') ? "a file of acceptances names no other: '" + text + "'" : acceptance_error(text);
        if (!problem.empty()) return "'" + file + "', line " + std::to_string(number) + ": " + problem;
        into.push_back(*parse_acceptance(text));
    }
    return {};
}

std::string reductions_error(const std::string& text) {
    if (parse_reductions(text)) return {};
    return "not all, none or names of reductions with commas: '" + text + "'; the names are " + names_of_reductions();
}

std::string names_of_reductions() {
    std::string names;
    for (const reduction_name& each : reduction_names()) names += (names.empty() ? "" : ", ") + std::string(each.name);
    return names;
}

std::string file_error(const std::string& text) { return text.empty() ? "the name of the file is empty" : ""; }

std::string kept_file_error(const std::string& text) {
    return text.empty() || text == "-" ? "it needs a file of its own: '" + text + "'" : "";
}

// What CMake takes for one, and no other program for something else.
const std::vector<std::string>& test_frameworks() {
    static const std::vector<std::string> names{"googletest", "catch2", "doctest", "boost", "plain"};
    return names;
}

std::string framework_error(const std::string& text) {
    const std::vector<std::string>& names = test_frameworks();
    if (std::ranges::find(names, text) != names.end()) return {};
    return fmt::format("not one of {}: '{}'", fmt::join(names, ", "), text);
}

std::string project_name_error(const std::string& text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto fits = [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    };
    if (!text.empty() && is_letter(text.front()) && std::ranges::all_of(text, fits)) return {};
    return "no name of a project: '" + text + "'; that is a letter, and then letters, digits, '_', '-' and '.'";
}

std::string engine_error(const std::string& text) { return text.empty() ? "the name of the engine is empty" : ""; }

bool parse_shard(std::string_view text, search_options& into) {
    constexpr unsigned most = 100'000;
    const auto bar = text.find('/');
    if (bar == std::string_view::npos) return false;
    const bool read =
        read_whole(text.substr(0, bar), into.shard.index) && read_whole(text.substr(bar + 1), into.shard.count);
    return read && into.shard.index >= 1 && into.shard.index <= into.shard.count && into.shard.count <= most;
}

std::string shard_error(const std::string& text) {
    search_options ignored;
    return parse_shard(text, ignored) ? "" : "not I/N, I being one of 1 to N: '" + text + "'";
}

std::optional<colour_choice> parse_colour(std::string_view text) {
    if (text == "auto") return colour_choice::automatic;
    if (text == "always") return colour_choice::always;
    if (text == "never") return colour_choice::never;
    return std::nullopt;
}

}  // namespace ordeal::detail
