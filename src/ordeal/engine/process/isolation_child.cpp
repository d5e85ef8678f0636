// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/isolation_child.hpp"

#include "ordeal/engine/persistence/search_json.hpp"
#include "ordeal/engine/process/forked_process.hpp"
#include "ordeal/engine/process/remote_workers.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>
#include <utility>

namespace ordeal::detail {

namespace {

void on_terminate_signal(int) { request_stop(); }

void set_handler(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

// If memory runs out, the system should kill the process that uses it, not the one that reports it.
void prefer_as_out_of_memory_victim() {
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)!write(file, "1000", 4);
    close(file);
}

// Reading a terminal requires the foreground, and each search would read different parts of a pipe.
void take_input_away() {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0) return;
    dup2(nothing, STDIN_FILENO);
    if (nothing > STDERR_FILENO) close(nothing);
}

/// The pipe for a child's result. The code on trial may have closed the descriptor by then, or replaced it.
class result_pipe {
public:
    result_pipe(pid_t parent, int read_end, int write_end)
        : file_(write_end), parents_(fmt::format("/proc/{}/fd/{}", parent, read_end)) {
        close(read_end);
        fstat(file_, &status_);
    }

    void write(const std::string& text) {
        if (getpid() != process_) _exit(1);  // a process that the code on trial has forked from the search
        if (!is_same(file_)) file_ = open(parents_.c_str(), O_WRONLY | O_CLOEXEC);
        if (!is_same(file_)) _exit(1);
        write_all(file_, text);
    }

private:
    [[nodiscard]] bool is_same(int file) const {
        struct stat now{};
        return fstat(file, &now) == 0 && now.st_dev == status_.st_dev && now.st_ino == status_.st_ino;
    }

    static void write_all(int file, const std::string& text) {
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t n = ::write(file, text.data() + done, text.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) _exit(1);
            done += static_cast<std::size_t>(n);
        }
    }

    pid_t process_ = getpid();
    int file_;
    std::string parents_;
    struct stat status_{};
};

// Output of the code on trial must not get into a report, and is repeated in each of thousands of executions.
void redirect_output(bool shown, int file) {
    if (shown) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
    } else if (file >= 0) {
        send_output_to(file);
    } else {
        drop_output();
    }
}

// The parent empties it again and again: what is written next begins anew.
int file_for_output() {
    const int file = memfd_create("output of code on trial", MFD_CLOEXEC);
    if (file >= 0) fcntl(file, F_SETFL, O_APPEND);
    return file;
}

void prepare_child(pid_t parent, const sigset_t& unblocked) {
    // A child must not outlive its parent, which may already have ended before the request was made.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    setpgid(0, 0);
    set_handler(SIGTTOU, SIG_IGN);  // so that it may show output without being in the foreground
    set_handler(SIGINT, SIG_IGN);   // the parent decides
    set_handler(SIGTERM, &on_terminate_signal);
    set_handler(SIGPIPE, SIG_DFL);
    // The parent reports crashes; handlers of the surrounding program would handle them in the child.
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) set_handler(signal, SIG_DFL);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    prefer_as_out_of_memory_victim();
    take_input_away();
    pthread_sigmask(SIG_SETMASK, &unblocked, nullptr);
}

// Makes the whole search in an assigned worker process; nothing if there is none, or it did not finish.
std::optional<search_result> searched_remotely(const search_job& job, search_progress& progress) {
    const bool for_one = job.how.resources.jobs == 1 && !job.how.replay && job.how.checkpoint.file.empty() &&
                         job.how.shard.parts.empty();
    if (!for_one || !remote_workers::available()) return std::nullopt;
    auto worker = remote_workers::for_whole_search(*job.what, job.with->name(), job.how);
    if (!worker) return std::nullopt;
    bool told_to_end = false;
    while (true) {
        if (stop_requested() && !std::exchange(told_to_end, true)) (void)worker->send(worker_message::end, "");
        if (!worker->readable(std::chrono::milliseconds{50})) continue;
        const bool there = worker->receive();
        while (const auto next = worker->take()) {
            progress.heartbeats = progress.heartbeats + 1;
            if (next->what == worker_message::counts) progress.executions = std::stoull(next->text);
            if (next->what == worker_message::result) return deserialise(next->text);
        }
        if (!there) return std::nullopt;
    }
}

[[noreturn]] void run_child(const search_job& job, search_progress& progress, result_pipe out) {
    search_result result;
    try {
        auto elsewhere = searched_remotely(job, progress);
        result = elsewhere ? *std::move(elsewhere) : job.with->search(*job.what, job.how, progress);
        if (result.environment.empty()) result.environment = instrumented().environment_reads();
    } catch (const std::exception& error) {
        result = {};
        result.message = fmt::format("the engine failed: {}", error.what());
    } catch (...) {
        result = {};
        result.message = "the engine failed with an exception of unknown type";
    }
    out.write(serialise(result));
    std::fflush(nullptr);
    _exit(0);  // no destructors: the search may have left anything behind
}

// "SIGSEGV (segmentation fault)"
std::string signal_words(int signal) {
    const char* const name = sigabbrev_np(signal);
    const char* const text = sigdescr_np(signal);
    if (name == nullptr || text == nullptr) return fmt::format("signal {}", signal);
    return fmt::format("SIG{} ({})", name, text);
}

std::string ended(std::uint64_t executions) {
    return fmt::format("{} execution{} had ended before", executions, executions == 1 ? "" : "s");
}

search_result violation(violation_kind kind, std::string message) {
    search_result result;
    result.verdict = verdict::violated;
    result.kind = kind;
    result.message = std::move(message);
    return result;
}

search_result result_without_report(const child_process& child, int status, std::uint64_t executions,
                                    const isolation_options& options) {
    if (child.out_of_time) {
        return violation(violation_kind::time_out, fmt::format("the search did not end within {:g} s; {}",
                                                               options.hard_limit, ended(executions)));
    }
    search_result result;
    if (child.endless) {
        result.message = fmt::format("an execution went on and on, beyond the {:g} s that the search may take; {}",
                                     options.hard_limit, ended(executions));
        return result;
    }
    if (child.overdue) {
        result.message = fmt::format("stopped before it had a result; {}", ended(executions));
        result.stopped = true;
        return result;
    }
    if (!child.received.empty()) {
        result.message =
            fmt::format("the result of the child process cannot be read ({} bytes came)", child.received.size());
        return result;
    }
    if (WIFSIGNALED(status) && is_external_signal(WTERMSIG(status))) {
        result.message =
            fmt::format("killed from outside by {}; {}", signal_words(WTERMSIG(status)), ended(executions));
        return result;
    }
    if (WIFSIGNALED(status)) {
        return violation(violation_kind::crash, fmt::format("ended by signal {} in the middle of an execution; {}",
                                                            signal_words(WTERMSIG(status)), ended(executions)));
    }
    return violation(violation_kind::crash, fmt::format("exited with code {} in the middle of an execution; {}",
                                                        WEXITSTATUS(status), ended(executions)));
}

}  // namespace

child_process start_child(const search_job& job, search_progress& progress, const isolation_options& options,
                          std::string& why) {
    child_process child;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        why = fmt::format("cannot make a pipe: {}", std::strerror(errno));
        return child;
    }
    if (!options.show_output) child.output = file_for_output();
    // Buffered text would be printed twice.
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t parent = getpid();
    // Signals are blocked until the child has its own handlers: they must neither end the child nor run the parent's
    // handler.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) {
        result_pipe out(parent, ends[0], ends[1]);
        prepare_child(parent, before);
        redirect_output(options.show_output, child.output);
        run_child(job, progress, std::move(out));
    }
    const int error = errno;
    if (pid > 0) setpgid(pid, pid);  // the child does so too, whichever comes first
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        if (child.output >= 0) close(child.output);
        why = fmt::format("cannot start a process: {}", std::strerror(error));
        return child;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    child.pid = pid;
    child.pipe = ends[0];
    child.began = child.newest_heartbeat = child.newest_end = std::chrono::steady_clock::now();
    return child;
}

void look_at_output(child_process& child) {
    struct stat file{};
    if (child.output < 0 || fstat(child.output, &file) != 0 || file.st_size == 0) return;
    child.printed = true;
    // If that fails, it stays in memory until the child is over.
    [[maybe_unused]] const int error = ftruncate(child.output, 0);
}

void close_files(const child_process& child) {
    close(child.pipe);
    if (child.output >= 0) close(child.output);
}

void receive(child_process& child) {
    char buffer[16384];
    while (true) {
        const ssize_t n = read(child.pipe, buffer, sizeof buffer);
        if (n > 0) {
            child.received.append(buffer, static_cast<std::size_t>(n));
        } else if (n == 0 || errno != EINTR) {
            child.hung_up = n == 0;
            return;
        }
    }
}

search_result result_of(const child_process& child, int status, std::uint64_t executions,
                        const isolation_options& options) {
    if (auto reported = deserialise(child.received)) return std::move(*reported);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - child.began;
    search_result result = result_without_report(child, status, executions, options);
    result.executions = executions;
    result.seconds = taken.count();
    return result;
}

}  // namespace ordeal::detail
