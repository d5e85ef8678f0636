// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ordeal try`: a project of CMake's for sources that have none, in the user's cache, and what it builds in place of
// this process. So how a trial is compiled stands in cmake/ordeal_trial.cmake alone.
#include "ordeal/cli/child_program.hpp"
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <system_error>

namespace ordeal::detail {

namespace {

namespace fs = std::filesystem;

constexpr auto kept_for = std::chrono::days(14);  // a project that nobody has tried since is removed

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

// Relative paths stay right in whatever folder the compiler runs.
std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

// Flags whose value is a path, behind them or as the next word.
constexpr std::array path_flags{"-I", "-L", "-isystem", "-iquote", "-idirafter", "-include"};

// Each flag one word: CMake removes words that are there twice.
std::vector<std::string> joined_flags(const std::vector<std::string>& words) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto known = std::ranges::find_if(path_flags, [&](const char* start) { return word.starts_with(start); });
        if (known != path_flags.end()) {
            std::string value = word.substr(std::strlen(*known));
            if (value.empty() && i + 1 < words.size()) value = words[++i];
            result.push_back(*known + absolute(value));
        } else {
            result.push_back(word.starts_with('-') ? word : absolute(word));
        }
    }
    return result;
}

bool is_for_linker(const std::string& flag) {
    return flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,") || !flag.starts_with('-');
}

// As an argument of a function of CMake's.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\' || c == '$') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string quoted(const std::vector<std::string>& words) {
    std::string result;
    for (const std::string& each : words) result += "\n    " + quoted(each);
    return result;
}

// The folder of the package that this program is part of.
std::string package() {
    const fs::path sources = own_sources();  // share/ordeal in it
    if (sources.empty()) {
        throw command_error(exit_code::usage,
                            "cannot find the files that trials are built with, neither in share/ordeal beside this "
                            "program nor in its build folder; use an installed ordeal, or one that was not moved after "
                            "it was built");
    }
    return sources.parent_path().parent_path().string();
}

/// The project of these sources.
class tried_project {
public:
    explicit tried_project(const try_options& options) : name_(name_for(options.sources.front())) {
        for (const std::string& each : options.sources) {
            if (access(each.c_str(), R_OK) != 0 || fs::is_directory(each)) {
                const char* const why = fs::is_directory(each) ? "it is a folder" : std::strerror(errno);
                throw command_error(exit_code::usage, fmt::format("cannot read '{}': {}", each, why));
            }
            sources_.push_back(absolute(each));
            in_c_ |= each.ends_with(".c");
        }
        for (std::string& each : joined_flags(options.flags)) {
            (is_for_linker(each) ? libraries_ : flags_).push_back(std::move(each));
        }
        for (const std::vector<std::string>* words : {&sources_, &flags_, &libraries_}) {
            for (const std::string& each : *words) {
                if (each.find(';') == std::string::npos) continue;
                throw command_error(exit_code::usage, fmt::format("a ';' in '{}' cannot be given to CMake", each));
            }
        }
    }

    /// Tells this project from others: by all that it is made of.
    [[nodiscard]] std::string key() const {
        std::string text = lists_file();
        for (const char* each : {"CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"}) text += '\n' + variable(each);
        text += '\n' + package() + '\n' + program_version();
        return fmt::format("{}-{:016x}", name_, std::hash<std::string>()(text));
    }

    [[nodiscard]] std::string lists_file() const {
        return fmt::format(
            "cmake_minimum_required(VERSION 3.25)\n"
            "project(tried LANGUAGES{} CXX)\n"
            "set(PROJECT_SOURCE_DIR {})  # names of files are relative to where ordeal was called\n"
            "find_package(ordeal REQUIRED COMPONENTS trials)\n"
            "ordeal_add_trial({} SOURCES{}\n  OPTIONS{}\n  LIBRARIES{})\n"
            "ordeal_see_relacy_suites({})\n"
            "set_target_properties({} PROPERTIES RUNTIME_OUTPUT_DIRECTORY \"${{CMAKE_BINARY_DIR}}/bin\")\n",
            in_c_ ? " C" : "", quoted(fs::current_path().string()), name_, quoted(sources_), quoted(flags_),
            quoted(libraries_), name_, name_);
    }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] bool in_c() const noexcept { return in_c_; }

private:
    // Some names are CMake's own.
    static std::string name_for(const std::string& source) {
        constexpr std::array reserved{"all",  "help",    "install",        "clean",
                                      "test", "package", "package_source", "preinstall"};
        std::string result = fs::path(source).stem().string();
        for (char& c : result) {
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.') c = '_';
        }
        return std::ranges::find(reserved, result) == reserved.end() ? result : result + "_trial";
    }

    std::string name_;
    std::vector<std::string> sources_;
    std::vector<std::string> flags_;
    std::vector<std::string> libraries_;
    bool in_c_ = false;
};

// No folder that others may write to, too: what is there is run.
fs::path cache_folder() {
    std::string folder = variable("XDG_CACHE_HOME");
    if (!folder.starts_with('/')) {
        const std::string home = variable("HOME");
        if (!home.starts_with('/')) {
            throw command_error(exit_code::usage,
                                "try builds below HOME or XDG_CACHE_HOME: set one of them to a folder");
        }
        folder = home + "/.cache";
    }
    return fs::path(folder) / "ordeal" / "try";
}

void remove_old_projects(const fs::path& cache) {
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator each(cache, error), end; !error && each != end; each.increment(error)) {
        std::error_code ignored;
        const auto used = fs::last_write_time(each->path(), ignored);  // build() sets it
        if (!ignored && now - used > kept_for) fs::remove_all(each->path(), ignored);
    }
}

// The compiler's messages, without the commands that the build tool shows around them.
std::string messages_of(const fs::path& log) {
    std::ifstream file(log);
    std::string result;
    std::string line;
    bool command = false;
    while (std::getline(file, line)) {
        const bool of_tool = line.starts_with('[') || line.starts_with("FAILED: ") || line.starts_with("ninja: ") ||
                             line.starts_with("make") || line.starts_with("gmake");
        if (!of_tool && !command) result += line + '\n';
        command = line.starts_with("FAILED: ");  // which is what the next line is
    }
    return result;
}

void step(std::vector<std::string> arguments, const fs::path& log, const std::string& what_fails) {
    const auto status = run_to_its_end(std::move(arguments), log.string());
    if (!status)
        throw command_error(exit_code::no_engine, fmt::format("cmake cannot be started: {}", std::strerror(errno)));
    if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return;
    const std::string said = messages_of(log);
    say(said);
    // GNU ld and gold; lld.
    if (said.find("multiple definition of `trial") != std::string::npos ||
        said.find("duplicate symbol: trial") != std::string::npos) {
        say_line("for several trials in a program write ORDEAL_TRIAL(\"name\") { ... }, of <ordeal/trial.h>, for each");
    }
    throw command_error(exit_code::incomplete, what_fails + ": nothing was run");
}

// By its compiler in CXX; else the one that this program was built with, if it is there; else CMake looks for one.
std::vector<std::string> compilers(const tried_project& project) {
    std::string of_cxx = variable("CXX");
    std::vector<std::string> result;
    if (of_cxx.empty() && is_on_path(ORDEAL_CXX_COMPILER)) {
        of_cxx = ORDEAL_CXX_COMPILER;
        result.push_back("-DCMAKE_CXX_COMPILER=" + of_cxx);
    }
    // One plugin is for both languages, so both are compiled by the same compiler.
    if (!project.in_c() || of_cxx.empty() || !variable("CC").empty()) return result;
    std::string of_c = of_cxx;
    const std::size_t at = of_c.rfind("++");
    if (at == std::string::npos) return result;
    of_c.replace(at, 2, of_c.substr(0, at).ends_with('g') && !of_c.substr(0, at).ends_with("clang") ? "cc" : "");
    if (is_on_path(of_c)) result.push_back("-DCMAKE_C_COMPILER=" + of_c);
    return result;
}

void build(const tried_project& project, const fs::path& folder) {
    const fs::path lists = folder / "CMakeLists.txt";
    const fs::path log = folder / "log";
    std::ostringstream there;
    there << std::ifstream(lists).rdbuf();
    if (there.str() != project.lists_file()) {
        if (const auto why = output_file(lists.string()).write(project.lists_file())) {
            throw command_error(exit_code::incomplete, fmt::format("cannot write '{}': {}", lists.string(), *why));
        }
    }
    std::error_code ignored;
    fs::last_write_time(folder, fs::file_time_type::clock::now(), ignored);
    if (!fs::exists(folder / "build" / "configured")) {
        fs::remove_all(folder / "build", ignored);  // what a try that failed has left
        std::vector<std::string> configure{
            "cmake", "-S", folder.string(), "-B", (folder / "build").string(), "-DCMAKE_PREFIX_PATH=" + package()};
        if (is_on_path("ninja")) configure.insert(configure.end(), {"-G", "Ninja"});
        for (std::string& each : compilers(project)) configure.push_back(std::move(each));
        step(std::move(configure), log, "CMake failed");
        std::ofstream(folder / "build" / "configured") << "";
    }
    step({"cmake", "--build", (folder / "build").string()}, log, project.name() + " was not built");
}

// "ordeal try door.cpp", which lines to paste begin with.
std::string call_of(const try_options& options) {
    std::string result = called_as() + " try";
    for (const std::string& each : options.sources) result += ' ' + shell_word(each);
    if (!options.flags.empty()) {
        result += " --";
        for (const std::string& each : options.flags) result += ' ' + shell_word(each);
        result += " --";
    }
    return result;
}

}  // namespace

exit_code run_try(const command_options& options) {
    const try_options& tried = options.tried;
    if (!is_on_path("cmake")) {
        throw command_error(exit_code::no_engine, "try needs cmake, which is not installed, or not on the PATH");
    }
    const tried_project project(tried);
    const fs::path cache = cache_folder();
    const fs::path folder = cache / project.key();
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw command_error(exit_code::incomplete,
                            fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
    }
    remove_old_projects(cache);
    {
        const file_lock only_one((folder / "build").string());
        build(project, folder);
    }
    setenv(called_as_variable, call_of(tried).c_str(), 1);
    std::vector<std::string> arguments{(folder / "build" / "bin" / project.name()).string()};
    arguments.insert(arguments.end(), tried.command.begin(), tried.command.end());
    execv(arguments.front().c_str(), argument_pointers(arguments).data());
    throw command_error(exit_code::incomplete,
                        fmt::format("cannot run '{}': {}", arguments.front(), std::strerror(errno)));
}

}  // namespace ordeal::detail
