// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/own_process.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ordeal::detail {

namespace {

constexpr const char* tried = "ORDEAL_ADDRESSES_KEPT";  // in the environment of the program started anew
constexpr unsigned long only_ask = 0xffffffff;

// By its own name where it has one, so that lists of processes show that.
void start_anew(char** argv) noexcept {
    std::array<char, PATH_MAX> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    if (length > 0) execv(path.data(), argv);
    execv("/proc/self/exe", argv);
}

}  // namespace

void disable_address_randomisation(char** argv, bool always) noexcept {
    const bool again = getenv(tried) != nullptr;
    unsetenv(tried);  // it is not for the programs that this one starts
    if (again || (!always && std::ranges::none_of(scenarios(), &scenario::instrumented))) return;
    const int now = personality(only_ask);
    if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
    if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return;
    setenv(tried, "1", 1);
    start_anew(argv);
    unsetenv(tried);
    personality(static_cast<unsigned long>(now));
}

namespace {

volatile std::sig_atomic_t received = 0;
timespec first_time{};

// A wrapper such as timeout(1) signals the process and then its group: that is one request, not two.
bool is_echo() {
    constexpr long apart = 300;  // milliseconds
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - first_time.tv_sec) * 1000 + (now.tv_nsec - first_time.tv_nsec) / 1'000'000 < apart;
}

void on_signal(int signal) {
    if (received == 0) {
        clock_gettime(CLOCK_MONOTONIC, &first_time);
        received = 1;
    } else if (!is_echo()) {
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
}

}  // namespace

interrupt_watch::interrupt_watch() noexcept {
    received = 0;
    struct sigaction action{};
    action.sa_handler = &on_signal;
    sigemptyset(&action.sa_mask);  // and no SA_RESTART: a wait for child processes ends early
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
}

interrupt_watch::~interrupt_watch() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool interrupt_watch::interrupted() const noexcept { return received != 0; }

namespace {

std::vector<pid_t> children() {
    std::vector<pid_t> result;
    std::error_code error;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
        std::ifstream file(thread.path() / "children");
        for (pid_t each = 0; file >> each;) result.push_back(each);
    }
    return result;
}

}  // namespace

orphaned_processes::orphaned_processes() : before_(children()) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

// The children of one that ends come here, too: until there are no more.
orphaned_processes::~orphaned_processes() {
    bool any = true;
    while (any) {
        any = false;
        for (const pid_t each : children()) {
            if (std::ranges::find(before_, each) != before_.end()) continue;
            kill(each, SIGKILL);
            pid_t ended = -1;
            while ((ended = waitpid(each, nullptr, 0)) < 0 && errno == EINTR) {
            }
            any = any || ended == each;
        }
    }
}

}  // namespace ordeal::detail
