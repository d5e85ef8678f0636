// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ordeal::test {

/// What a program left behind.
struct finished {
    int code = -1;    ///< exit status; -1 when a signal ended it
    int signal = 0;   ///< that signal
    std::string out;  ///< standard output
    std::string err;  ///< standard error
};

/// A program that runs; standard input is empty, NO_COLOR and TERM are not set.
class program {
public:
    program(const char* path, std::vector<std::string> arguments);
    ~program();
    program(const program&) = delete;
    program& operator=(const program&) = delete;

    void send(int signal) const;
    [[nodiscard]] finished wait();
    [[nodiscard]] pid_t id() const noexcept { return pid_; }

    /// Whether a child process of it exists.
    [[nodiscard]] bool has_children() const;

    /// The first of them; 0 when there is none.
    [[nodiscard]] pid_t child() const;

private:
    pid_t pid_ = -1;
    int out_ = -1;
    int err_ = -1;
};

[[nodiscard]] finished run(const char* path, std::vector<std::string> arguments);

/// The program with the fixtures of this folder as its scenarios.
[[nodiscard]] finished run_fixture(std::vector<std::string> arguments);

/// The same by a line of the shell in which "$0" is the program.
[[nodiscard]] finished run_fixture_in_shell(const std::string& line);

/// A folder that is gone at the end of the test.
class temporary_folder {
public:
    temporary_folder();
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
    [[nodiscard]] std::vector<std::string> files() const;

private:
    std::filesystem::path path_;
};

[[nodiscard]] std::string content(const std::string& file);

/// The text between single quotes after " replay "; empty when there is none.
[[nodiscard]] std::string token_in(const std::string& text);

}  // namespace ordeal::test
