// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/files/files.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/picture/picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

// "/dev/stdout", say. What is written there and to standard output gets mixed up, or in a regular file lost.
bool is_open_as_standard_output(const std::string& path) {
    struct stat open{};
    struct stat named{};
    if (fstat(STDOUT_FILENO, &open) != 0 || stat(path.c_str(), &named) != 0) return false;
    if (S_ISCHR(open.st_mode)) return false;  // a terminal, or where nothing is kept
    return open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// Whatever the path to it.
std::string same_for_one_file(const output_file& file) {
    if (file.is_standard_output() || is_open_as_standard_output(file.path())) return "-";
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(file.target(), error);
    return error ? file.path() : whole.string();
}

// Formats and their files, in the order of the formats.
std::vector<std::pair<const report_format*, std::string>> wanted_reports(const command_options& options) {
    std::vector<std::pair<const report_format*, std::string>> result;
    for (const report_format* each : report_formats()) {
        const auto file = options.reports.find(each->name());
        if (file != options.reports.end()) result.emplace_back(each, file->second);
    }
    return result;
}

/// Output files while they are written: no failure keeps the others from it.
class file_writer {
public:
    void put(const std::string& path, const std::string& content) {
        const output_file file(path);
        const auto why = file.write(content);
        if (!why) return;
        failed_ += fmt::format("{}cannot write {}: {}", failed_.empty() ? "" : "; ",
                               file.is_standard_output() ? "standard output" : "'" + path + "'", *why);
    }
    void finish() const {
        if (!failed_.empty()) throw command_error(exit_code::incomplete, failed_);
    }

private:
    std::string failed_;
};

std::string seconds(double value) { return value > 0 ? fmt::format("{:g} s", value) : "no limit"; }

std::vector<std::pair<std::string, std::string>> asked(const command_options& options) {
    std::vector<std::pair<std::string, std::string>> result;
    const auto say = [&](const char* name, std::string value) { result.emplace_back(name, std::move(value)); };
    if (options.what == command::list || options.what == command::replay) return result;
    say("scenarios", options.patterns.empty() ? "all" : fmt::format("{}", fmt::join(options.patterns, " ")));
    if (options.what == command::stress) {
        const stress_options& how = options.stress;
        if (how.soak.empty()) say("time", seconds(how.seconds));
        if (how.samples > 0) say("samples", std::to_string(how.samples));
        return result;
    }
    const search_options& how = options.search;
    say("engine", options.engine.empty() ? std::string(chosen_engine("").name()) : options.engine);
    say("model", std::string(to_string(how.model)));
    say("search", search_argument(how));
    if (const auto seed = seed_of(how)) say("seed", std::to_string(*seed));
    say("time budget for each search", seconds(how.resources.seconds));
    for (const acceptance& each : how.accept) say("accepted", to_string(each));
    return result;
}

}  // namespace

void require_writable(const command_options& options) {
    std::vector<std::string> files;
    const auto require = [&](const std::string& file, const char* kept) {
        if (file.empty()) return;
        const output_file wanted(file);
        if (const auto why = kept != nullptr ? wanted.obstacle_to_keeping() : wanted.obstacle()) {
            throw command_error(exit_code::usage, fmt::format("cannot write '{}': {}", file, *why));
        }
        const std::string place = same_for_one_file(wanted);
        if (place == "-" && !wanted.is_standard_output()) {
            throw command_error(
                exit_code::usage,
                fmt::format("cannot write '{}': standard output goes there; give - for the file", file));
        }
        if (std::ranges::find(files, place) != files.end()) {
            throw command_error(
                exit_code::usage,
                fmt::format("{} cannot go into one file: '{}'",
                            kept != nullptr ? fmt::format("a report and a {}", kept) : "two reports", file));
        }
        files.push_back(place);
    };
    const auto reports = wanted_reports(options);
    for (const auto& [format, file] : reports) {
        const std::string why = format->obstacle();
        if (!why.empty()) throw command_error(exit_code::usage, fmt::format("--{}: {}", format->name(), why));
    }
    for (const auto& [format, file] : reports) require(file, nullptr);
    for (const picture_format& each : picture_formats()) {
        const auto file = options.pictures.find(each.name);
        if (file != options.pictures.end()) require(file->second, nullptr);
    }
    require(options.search.checkpoint.file, "checkpoint");
    require(options.shard.file, "shard");
    require(options.stress.soak, "soak");
}

bool has_report_on_standard_output(const command_options& options) {
    return std::ranges::any_of(options.reports, [](const auto& each) { return each.second == "-"; });
}

void write_reports(const command_options& options, const report_in_format& report) {
    const report_context context{.text = {style_of(options), options.trace, options.all_steps, options.quiet},
                                 .asked = asked(options)};
    file_writer files;
    // The files first: a reader of standard output may have gone.
    for (const auto& [format, file] : wanted_reports(options)) files.put(file, report(*format, context));
    if (!has_report_on_standard_output(options)) files.put("-", report(text_format(), context));
    files.finish();
}

void write_pictures(const command_options& options, const scenario& what, const search_result& execution,
                    const explanation& why) {
    if (options.pictures.empty()) return;
    const execution_picture picture = picture_of(what, execution, why);
    file_writer files;
    for (const picture_format& each : picture_formats()) {
        const auto file = options.pictures.find(each.name);
        if (file != options.pictures.end()) files.put(file->second, each.text(picture));
    }
    files.finish();
}

}  // namespace ordeal::detail
