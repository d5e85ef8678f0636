// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/child_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace ordeal::detail {

namespace {

constexpr int not_started = 127;  // as a shell has it

// Becomes the program, which closes the pipe; or writes the error number to it.
[[noreturn]] void become(std::vector<std::string>& arguments, const std::string& output, int pipe) {
    const auto redirected = [&] {
        if (output.empty()) return true;
        const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        return file >= 0 && dup2(file, STDOUT_FILENO) >= 0 && dup2(file, STDERR_FILENO) >= 0;
    };
    const std::vector<char*> pointers = argument_pointers(arguments);
    if (redirected()) execvp(pointers.front(), pointers.data());
    const int error = errno;
    (void)!write(pipe, &error, sizeof error);
    _exit(not_started);
}

}  // namespace

bool is_on_path(const std::string& program) {
    if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
    const char* const path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const auto end = rest.find(':');
        if (access((std::string(rest.substr(0, end)) + '/' + program).c_str(), X_OK) == 0) return true;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return false;
}

std::vector<char*> argument_pointers(std::vector<std::string>& arguments) {
    std::vector<char*> result;
    for (std::string& each : arguments) result.push_back(each.data());
    result.push_back(nullptr);
    return result;
}

std::optional<int> run_to_its_end(std::vector<std::string> arguments, const std::string& output) {
    std::cout.flush();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return {};
    const pid_t child = fork();
    if (child == 0) become(arguments, output, ends[1]);
    int error = errno;
    close(ends[1]);
    if (child > 0 && read(ends[0], &error, sizeof error) != sizeof error) error = 0;
    close(ends[0]);
    const auto before = std::signal(SIGINT, SIG_IGN);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::signal(SIGINT, before);
    if (error == 0) return status;
    errno = error;
    return {};
}

}  // namespace ordeal::detail
