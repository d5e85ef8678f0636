// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/debugger/debugger.hpp"

#include "ordeal/cli/child_program.hpp"
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/engine/execution/debug_stop.hpp"
#include "ordeal/engine/process/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ordeal::detail {

namespace {

namespace fs = std::filesystem;

constexpr const char* debugger_name = "gdb";

class script_folder {
public:
    [[nodiscard]] std::string write(const char* name, std::string_view text) const {
        const std::string path = (fs::path(folder_.path()) / name).string();
        std::ofstream file(path, std::ios::binary);
        if (!(file << text).flush()) {
            throw command_error(exit_code::incomplete, fmt::format("cannot write '{}'", path));
        }
        return path;
    }

private:
    temporary_folder folder_{fs::temp_directory_path().string(), "ordeal_debug."};
};

// A string of Python.
std::string python_string(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + '\'';
}

// The harness has handlers of its own: for pages of globals that are written for the first time, for what goes wrong in
// the code on trial, for the clock of the watchdog.
std::string commands_of(const debugger_session& session, const std::string& script) {
    std::string text =
        "set pagination off\nset confirm off\nset breakpoint pending on\nset print thread-events off\n"
        "set style enabled off\nhandle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGPROF nostop noprint pass\n";
    if (session.commands.empty()) text.erase(text.find("set style"), std::strlen("set style enabled off\n"));
    text += fmt::format("source {}\n", script);
    text += fmt::format("python ordeal_expect({}, {}, {}, {})\n", python_string(session.file), session.line,
                        python_string(session.banner), session.apart ? "True" : "False");
    text += "tbreak ordeal_stop_here\nrun\npython ordeal_stopped()\n";
    for (const std::string& command : session.commands) text += command + '\n';
    return text;
}

std::vector<std::string> arguments_of(const debugger_session& session, const std::string& commands) {
    std::error_code error;
    const std::string program = fs::read_symlink("/proc/self/exe", error).string();
    std::vector<std::string> arguments{debugger_name, "-q"};
    if (!session.commands.empty()) arguments.insert(arguments.end(), {"-batch", "-nx"});
    arguments.insert(arguments.end(), {"-x", commands, "--args", program, "replay", session.token});
    arguments.insert(arguments.end(), session.arguments.begin(), session.arguments.end());
    return arguments;
}

}  // namespace

void run_debugger(const debugger_session& session) {
    if (!is_on_path(debugger_name)) {
        throw command_error(exit_code::no_engine,
                            "--debug needs gdb, which is not installed, or not on the PATH (the package gdb)");
    }
    const script_folder folder;
    const std::string script = folder.write("ordeal.py", debugger_script());
    const std::string commands = folder.write("commands.gdb", commands_of(session, script));
    if (setenv(debug_stop_variable, std::to_string(session.step).c_str(), 1) != 0 ||
        !run_to_its_end(arguments_of(session, commands))) {
        throw command_error(exit_code::no_engine, fmt::format("gdb cannot be started: {}", std::strerror(errno)));
    }
}

}  // namespace ordeal::detail
