// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "real/child.hpp"

#include "ordeal/engine/persistence/search_json.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace ordeal::tests {

using namespace detail;

namespace {

namespace fs = std::filesystem;
using steady = std::chrono::steady_clock;

class temporary_folder {
public:
    temporary_folder() {
        std::string pattern = (fs::temp_directory_path() / "ordeal-trial-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for a trial");
        path_ = pattern;
    }
    ~temporary_folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }
    [[nodiscard]] const fs::path& path() const noexcept { return path_; }

private:
    fs::path path_;
};

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> arguments(const trial_order& order, const temporary_folder& folder) {
    std::vector<std::string> result{ORDEAL_TRIAL_BINARY,
                                    order.scenario,
                                    "--result",
                                    folder / "result",
                                    "--seed",
                                    std::to_string(order.seed),
                                    "--samples",
                                    std::to_string(order.samples),
                                    "--seconds",
                                    std::to_string(order.seconds),
                                    "--lose-blocks",
                                    std::to_string(order.lost_blocks)};
    for (const order_override& each : order.overrides) {
        result.emplace_back("--override");
        result.push_back(to_string(each));
    }
    return result;
}

// Everything that a sanitizer can say is to be said, in the words that the parser knows.
std::vector<std::string> environment(const trial_order& order, const temporary_folder& folder) {
    std::vector<std::string> result;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string entry = *each;
        if (entry.substr(0, entry.find('=')).find("SAN_OPTIONS") == std::string::npos) result.push_back(entry);
    }
    const std::string common = "log_path=" + (folder / "report").string() +
                               ":strip_path_prefix=" ORDEAL_SOURCE_ROOT "/:symbolize=1:exitcode=66:";
    result.push_back("TSAN_OPTIONS=" + common +
                     "second_deadlock_stack=1:history_size=4:halt_on_error=" + (order.stop_at_report ? "1" : "0"));
    result.push_back("ASAN_OPTIONS=" + common + "detect_leaks=1:detect_stack_use_after_return=1");
    result.push_back("UBSAN_OPTIONS=" + common + "print_stacktrace=1");
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (std::string& each : strings) result.push_back(each.data());
    result.push_back(nullptr);
    return result;
}

pid_t start(const trial_order& order, const temporary_folder& folder) {
    std::vector<std::string> argument_strings = arguments(order, folder);
    std::vector<std::string> environment_strings = environment(order, folder);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    const std::string output = (folder / "output").string();
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = -1;
    const int error = posix_spawn(&child, ORDEAL_TRIAL_BINARY, &files, nullptr, pointers(argument_strings).data(),
                                  pointers(environment_strings).data());
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw std::runtime_error("cannot start " ORDEAL_TRIAL_BINARY);
    return child;
}

}  // namespace

trial_outcome run_trial(const trial_order& order) {
    const temporary_folder folder;
    const pid_t child = start(order, folder);
    const auto end = steady::now() + std::chrono::duration<double>(order.hard_limit);
    trial_outcome outcome;
    while (::waitpid(child, &outcome.status, WNOHANG) == 0) {
        if (!outcome.out_of_time && steady::now() > end) {
            outcome.out_of_time = true;
            ::kill(child, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    outcome.result = deserialise(content(folder / "result"));
    outcome.output = content(folder / "output");
    for (const auto& file : fs::directory_iterator(folder.path())) {
        if (file.path().filename().string().starts_with("report")) outcome.reports += content(file.path());
    }
    return outcome;
}

std::string trial_outcome::describe(const trial_order& order) const {
    std::ostringstream text;
    text << order.scenario << ", seed " << order.seed;
    for (const order_override& each : order.overrides) text << ", with " << to_string(each);
    if (result) {
        text << ": " << to_string(result->verdict) << " after " << result->executions << " samples. "
             << result->message;
    } else if (out_of_time) {
        text << ": killed after " << order.hard_limit << " s";
    } else if (WIFSIGNALED(status)) {
        text << ": ended by signal " << WTERMSIG(status);
    } else {
        text << ": exited with code " << WEXITSTATUS(status) << " without a result";
    }
    return text.str() + "\n" + output + reports;
}

}  // namespace ordeal::tests
