// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

extern char** environ;

namespace ordeal::test {

namespace {

int temporary_file() {
    std::string name = (std::filesystem::temp_directory_path() / "ordeal_output.XXXXXX").string();
    const int file = mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) throw std::runtime_error("no temporary file");
    unlink(name.c_str());
    return file;
}

std::string read_back(int file) {
    std::string text;
    char buffer[65536];
    off_t at = 0;
    for (ssize_t n = 0; (n = pread(file, buffer, sizeof buffer, at)) > 0; at += n) {
        text.append(buffer, static_cast<std::size_t>(n));
    }
    close(file);
    return text;
}

std::vector<char*> environment() {
    std::vector<char*> result;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view text = *each;
        if (!text.starts_with("NO_COLOR=") && !text.starts_with("TERM=")) result.push_back(*each);
    }
    result.push_back(nullptr);
    return result;
}

}  // namespace

program::program(const char* path, std::vector<std::string> arguments)
    : out_(temporary_file()), err_(temporary_file()) {
    std::vector<char*> argv{const_cast<char*>(path)};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out_, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err_, STDERR_FILENO);
    const int error = posix_spawn(&pid_, path, &actions, nullptr, argv.data(), environment().data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error(std::string("cannot run ") + path);
}

program::~program() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    close(out_);
    close(err_);
}

void program::send(int signal) const { kill(pid_, signal); }

finished program::wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    finished result;
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.out = read_back(out_);
    result.err = read_back(err_);
    return result;
}

bool program::has_children() const { return child() != 0; }

pid_t program::child() const {
    const std::string id = std::to_string(pid_);
    return std::atoi(content("/proc/" + id + "/task/" + id + "/children").c_str());
}

finished run(const char* path, std::vector<std::string> arguments) {
    return program(path, std::move(arguments)).wait();
}

finished run_fixture(std::vector<std::string> arguments) { return run(ORDEAL_FIXTURE_BINARY, std::move(arguments)); }

finished run_fixture_in_shell(const std::string& line) { return run("/bin/sh", {"-c", line, ORDEAL_FIXTURE_BINARY}); }

temporary_folder::temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ordeal_test.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
}

temporary_folder::~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> temporary_folder::files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

std::string content(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string token_in(const std::string& text) {
    constexpr std::string_view before = " replay '";
    const auto begin = text.find(before);
    if (begin == std::string::npos) return {};
    const auto first = begin + before.size();
    return text.substr(first, text.find('\'', first) - first);
}

}  // namespace ordeal::test
