// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/exploration/helper.hpp"

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/exploration/workers.hpp"
#include "ordeal/engine/memory_limit.hpp"
#include "ordeal/engine/watchdog.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace ordeal::graph {

namespace {

bool write_all(int file, const void* from, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        const ssize_t count = write(file, static_cast<const char*>(from) + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

bool read_all(int file, void* into, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        const ssize_t count = read(file, static_cast<char*>(into) + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

// Nobody's fault: a person, or the system when it is short of memory.
bool is_from_outside(int status) {
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
}

}  // namespace

helper::helper(const one_turn& turn) {
    int there[2];
    int back[2];
    if (pipe2(there, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "no pipe for a helper");
    if (pipe2(back, O_CLOEXEC) != 0) {
        const int error = errno;
        close(there[0]);
        close(there[1]);
        throw std::system_error(error, std::generic_category(), "no pipe for a helper");
    }
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        close(there[1]);
        close(back[0]);
        serve(turn, there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    to_ = there[1];
    from_ = back[0];
}

helper::~helper() {
    end();
    close(to_);
    close(from_);
}

void helper::end() noexcept {
    if (process_ < 0) return;
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    forget_memory_of(process_);
    process_ = -1;
    busy_ = false;
}

void helper::note_end() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    forget_memory_of(process_);
    process_ = -1;
    busy_ = false;
    if (is_from_outside(status)) return;
    throw worker_ended("a process that tried further executions ended in the middle of one, " +
                       (WIFSIGNALED(status) ? "by signal " + std::to_string(WTERMSIG(status))
                                            : "with exit code " + std::to_string(WEXITSTATUS(status))));
}

void helper::serve(const one_turn& turn, int from, int to) {
    watchdog::watch_this_process();
    clock::duration::rep until = 0;
    while (read_all(from, &until, sizeof(until))) {
        const std::string answer = turn(clock::time_point(clock::duration(until)));
        const std::uint64_t size = answer.size();
        if (!write_all(to, &size, sizeof(size)) || !write_all(to, answer.data(), answer.size())) _exit(1);
    }
    _exit(0);
}

void helper::begin_turn(clock::time_point until) {
    if (gone()) return;
    received_.clear();
    busy_ = true;
    const clock::duration::rep when = until.time_since_epoch().count();
    if (!write_all(to_, &when, sizeof(when))) note_end();
}

std::optional<std::string> helper::answer(clock::time_point until) {
    using std::chrono::milliseconds;
    constexpr milliseconds longest_wait{100};
    std::uint64_t size = 0;
    while (busy_) {
        if (received_.size() >= sizeof(size)) {
            std::memcpy(&size, received_.data(), sizeof(size));
            if (received_.size() - sizeof(size) == size) {
                busy_ = false;
                return received_.substr(sizeof(size));
            }
        }
        const auto left = std::chrono::ceil<milliseconds>(until - clock::now());
        pollfd wait{from_, POLLIN, 0};
        const auto time = std::clamp(left, milliseconds(0), longest_wait);
        if (poll(&wait, 1, static_cast<int>(time.count())) <= 0) {
            if (stop_requested() || left <= milliseconds(0)) return std::nullopt;
            continue;
        }
        std::array<char, 1 << 16> block{};
        const ssize_t count = read(from_, block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            note_end();
            return std::nullopt;
        }
        received_.append(block.data(), static_cast<std::size_t>(count));
    }
    return std::nullopt;
}

}  // namespace ordeal::graph
