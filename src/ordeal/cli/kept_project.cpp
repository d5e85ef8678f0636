// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/kept_project.hpp"

#include "ordeal/cli/child_program.hpp"
#include "ordeal/cli/command_parts.hpp"
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
#include <sstream>
#include <system_error>

namespace ordeal::detail {

namespace {

namespace fs = std::filesystem;

constexpr auto kept_for = std::chrono::days(14);  // a project that nobody has built since is removed

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
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

std::string lists_file(const kept_project& project) {
    return fmt::format(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(tried LANGUAGES{} CXX)\n"
        "set(PROJECT_SOURCE_DIR {})  # names of files are relative to where ordeal was called\n"
        "find_package(ordeal REQUIRED COMPONENTS trials)\n"
        "{}"
        "set_target_properties({} PROPERTIES RUNTIME_OUTPUT_DIRECTORY \"${{CMAKE_BINARY_DIR}}/bin\")\n",
        project.in_c ? " C" : "", cmake_quoted(fs::current_path().string()), project.targets, project.program);
}

/// Tells this project from others: by all that it is made of.
std::string key(const kept_project& project) {
    std::string text = lists_file(project);
    for (const char* each : {"CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"}) text += '\n' + variable(each);
    text += '\n' + package() + '\n' + program_version();
    return fmt::format("{}-{:016x}", project.name, std::hash<std::string>()(text));
}

// No folder that others may write to, too: what is there is run.
fs::path cache_folder(const std::string& command) {
    std::string folder = variable("XDG_CACHE_HOME");
    if (!folder.starts_with('/')) {
        const std::string home = variable("HOME");
        if (!home.starts_with('/')) {
            throw command_error(exit_code::usage,
                                command + " builds below HOME or XDG_CACHE_HOME: set one of them to a folder");
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

// What ordeal's own functions of CMake have to say, without where in them: CMake breaks it into lines.
std::string own_error_of(const fs::path& log) {
    std::ifstream file(log);
    std::string result;
    std::string line;
    while (std::getline(file, line)) {
        const bool begins = line.starts_with("  ordeal: ");
        if (result.empty() && !begins) continue;
        if (!result.empty() && (!line.starts_with("  ") || begins)) break;
        result += result.empty() ? line.substr(std::string_view("  ordeal: ").size()) : line.substr(1);
    }
    return result;
}

// The compiler's messages, without the commands that the build tool shows around them.
std::string messages_of(const fs::path& log) {
    std::ifstream file(log);
    std::string result;
    std::string line;
    bool command = false;
    while (std::getline(file, line)) {
        const bool of_tool = line.starts_with('[') || line.starts_with("FAILED: ") || line.starts_with("ninja: ") ||
                             line.starts_with("-- ") || line.starts_with("make") || line.starts_with("gmake");
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
    if (const std::string own = own_error_of(log); !own.empty()) {
        throw command_error(exit_code::incomplete, own + "; nothing was run");
    }
    const std::string said = messages_of(log);
    say(said);
    // GNU ld and gold; lld.
    if (said.find("multiple definition of `trial") != std::string::npos ||
        said.find("duplicate symbol: trial") != std::string::npos) {
        say_line("for several trials in a program write ORDEAL_TRIAL(\"name\") { ... }, of <ordeal/trial.h>, for each");
    }
    if (said.find("unknown argument") != std::string::npos) {
        say_line("the compiler is the one in CXX, else the one that ordeal was built with");
    }
    throw command_error(exit_code::incomplete, what_fails + ": nothing was run");
}

// By its compiler in CXX; else the one that this program was built with, if it is there; else CMake looks for one.
std::vector<std::string> compilers(const kept_project& project) {
    std::string of_cxx = variable("CXX");
    std::vector<std::string> result;
    if (of_cxx.empty() && is_on_path(ORDEAL_CXX_COMPILER)) {
        of_cxx = ORDEAL_CXX_COMPILER;
        result.push_back("-DCMAKE_CXX_COMPILER=" + of_cxx);
    }
    // One plugin is for both languages, so both are compiled by the same compiler.
    if (!project.in_c || of_cxx.empty() || !variable("CC").empty()) return result;
    std::string of_c = of_cxx;
    const std::size_t at = of_c.rfind("++");
    if (at == std::string::npos) return result;
    of_c.replace(at, 2, of_c.substr(0, at).ends_with('g') && !of_c.substr(0, at).ends_with("clang") ? "cc" : "");
    if (is_on_path(of_c)) result.push_back("-DCMAKE_C_COMPILER=" + of_c);
    return result;
}

void build(const kept_project& project, const fs::path& folder) {
    const fs::path lists = folder / "CMakeLists.txt";
    const fs::path log = folder / "log";
    const std::string text = lists_file(project);
    std::ostringstream there;
    there << std::ifstream(lists).rdbuf();
    if (there.str() != text) {
        if (const auto why = output_file(lists.string()).write(text)) {
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
    step({"cmake", "--build", (folder / "build").string()}, log, project.name + " was not built");
}

}  // namespace

std::string cmake_quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\' || c == '$') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string cmake_quoted(const std::vector<std::string>& words) {
    std::string result;
    for (const std::string& each : words) {
        if (each.find(';') != std::string::npos) {
            throw command_error(exit_code::usage, fmt::format("a ';' in '{}' cannot be given to CMake", each));
        }
        result += "\n    " + cmake_quoted(each);
    }
    return result;
}

std::vector<std::string> cmake_words(const std::vector<compiler_flag>& flags) {
    std::vector<std::string> result;
    for (const compiler_flag& each : flags) result.push_back(cmake_word(each));
    return result;
}

std::string target_name(const std::string& file) {
    constexpr std::array reserved{"all", "help", "install", "clean", "test", "package", "package_source", "preinstall"};
    std::string result = fs::path(file).stem().string();
    for (char& c : result) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.') c = '_';
    }
    return std::ranges::find(reserved, result) == reserved.end() ? result : result + "_trial";
}

std::vector<std::string> readable_sources(const std::vector<std::string>& sources) {
    std::vector<std::string> result;
    for (const std::string& each : sources) {
        if (access(each.c_str(), R_OK) != 0 || fs::is_directory(each)) {
            const char* const why = fs::is_directory(each) ? "it is a folder" : std::strerror(errno);
            throw command_error(exit_code::usage, fmt::format("cannot read '{}': {}", each, why));
        }
        result.push_back(fs::absolute(each).lexically_normal().string());
    }
    return result;
}

void build_and_become(const kept_project& project, const std::string& call, const std::vector<std::string>& arguments) {
    if (!is_on_path("cmake")) {
        throw command_error(exit_code::no_engine,
                            project.command + " needs cmake, which is not installed, or not on the PATH");
    }
    const fs::path cache = cache_folder(project.command);
    const fs::path folder = cache / key(project);
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
    setenv(called_as_variable, call.c_str(), 1);
    std::vector<std::string> words{(folder / "build" / "bin" / project.program).string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    execv(words.front().c_str(), argument_pointers(words).data());
    throw command_error(exit_code::incomplete, fmt::format("cannot run '{}': {}", words.front(), std::strerror(errno)));
}

}  // namespace ordeal::detail
