// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/portfolio_process.hpp"

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/search/workers.hpp"
#include "ordeal/engine/process/forked_process.hpp"
#include "ordeal/engine/process/memory_limit.hpp"
#include "ordeal/engine/process/watchdog.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace ordeal::detail::graph {

namespace {

// The only kind of message: the time at which a slice is to end, and its result.
constexpr char of_slice = 't';

}  // namespace

portfolio_process::portfolio_process(const run_slice& slice) {
    const std::array ends = connected_sockets();
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        close(ends[0]);
        serve(slice, message_channel(ends[1]));
    }
    close(ends[1]);
    channel_ = message_channel(ends[0]);
}

portfolio_process::~portfolio_process() { end(); }

void portfolio_process::end() noexcept {
    if (process_ < 0) return;
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    forget_memory_of(process_);
    process_ = -1;
    busy_ = false;
}

void portfolio_process::note_end() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    forget_memory_of(process_);
    process_ = -1;
    busy_ = false;
    if (WIFSIGNALED(status) && is_external_signal(WTERMSIG(status))) return;
    throw worker_ended("a process that tried further executions ended in the middle of one, " +
                       (WIFSIGNALED(status) ? "by signal " + std::to_string(WTERMSIG(status))
                                            : "with exit code " + std::to_string(WEXITSTATUS(status))));
}

void portfolio_process::serve(const run_slice& slice, message_channel with) {
    watchdog::watch_this_process();
    while (const auto asked = with.await()) {
        const clock::time_point until{clock::duration(std::stoll(asked->text))};
        if (!with.send(of_slice, slice(until))) _exit(1);
    }
    _exit(0);
}

void portfolio_process::begin_slice(clock::time_point until) {
    if (gone()) return;
    busy_ = true;
    if (!channel_.send(of_slice, std::to_string(until.time_since_epoch().count()))) note_end();
}

std::optional<std::string> portfolio_process::answer(clock::time_point until) {
    using std::chrono::milliseconds;
    constexpr milliseconds longest_wait{100};
    while (busy_) {
        if (auto told = channel_.take()) {
            busy_ = false;
            return std::move(told->text);
        }
        const auto left = std::chrono::ceil<milliseconds>(until - clock::now());
        if (!channel_.readable(std::clamp(left, milliseconds(0), longest_wait))) {
            if (stop_requested() || left <= milliseconds(0)) return std::nullopt;
        } else if (!channel_.receive()) {
            note_end();
        }
    }
    return std::nullopt;
}

}  // namespace ordeal::detail::graph
