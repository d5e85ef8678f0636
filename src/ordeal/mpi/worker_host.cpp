// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/mpi/worker_host.hpp"

#include "ordeal/engine/process/forked_process.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>

namespace ordeal::mpi {

namespace {

constexpr std::chrono::seconds heartbeat_interval{1};

}  // namespace

void worker_host::take(const message& from_coordinator) {
    if (from_coordinator.kind == message_kind::begin) {
        stop();
        start(from_coordinator.lease);
        return;
    }
    if (from_coordinator.lease != lease_ || process_ < 0) return;  // it has ended in between
    if (from_coordinator.kind == message_kind::hang_up) return stop();
    to_process_ += from_coordinator.text;
    pass_on_input();
}

void worker_host::start(std::uint32_t lease) {
    lease_ = lease;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return transport_.send(0, message_kind::ended, lease_);
    std::vector<char*> arguments;
    for (std::string& each : command_) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed rank takes its process with it
        if (getppid() != parent) _exit(1);
        unsetenv("ORDEAL_WORKERS");
        const int kept = dup(ends[1]);
        setenv("ORDEAL_REMOTE_WORKER", std::to_string(kept).c_str(), 1);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    close(ends[1]);
    socket_ = ends[0];
    if (process_ < 0) {
        stop();
        transport_.send(0, message_kind::ended, lease_);
    }
}

void worker_host::stop() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    process_ = -1;
    if (socket_ >= 0) close(std::exchange(socket_, -1));
    to_process_.clear();
}

void worker_host::pass_on_input() {
    while (!to_process_.empty()) {
        const ssize_t count = ::send(socket_, to_process_.data(), to_process_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count <= 0) return;  // it is busy or has ended, which its output will show
        to_process_.erase(0, static_cast<std::size_t>(count));
    }
}

bool worker_host::pass_on_output() {
    std::string block(std::size_t{1} << 20U, '\0');
    const ssize_t count = recv(socket_, block.data(), block.size(), MSG_DONTWAIT);
    if (count > 0) {
        transport_.send(0, message_kind::from_process, lease_,
                        std::string_view(block).substr(0, static_cast<std::size_t>(count)));
        return true;
    }
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
    report_end();
    return true;
}

// If a signal of the code on trial ended it, that is the end of an execution, and the client must know.
void worker_host::report_end() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    std::string words;
    if (WIFSIGNALED(status) && !detail::is_external_signal(WTERMSIG(status))) {
        words = "by signal " + std::to_string(WTERMSIG(status));
    }
    stop();
    transport_.send(0, message_kind::ended, lease_, words);
}

bool worker_host::poll() {
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_heartbeat_) {
        transport_.send(0, message_kind::heartbeat, 0);
        next_heartbeat_ = now + heartbeat_interval;
    }
    if (process_ < 0) return false;
    pass_on_input();
    return pass_on_output();
}

}  // namespace ordeal::mpi
