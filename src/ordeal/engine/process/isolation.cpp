// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/isolation.hpp"

#include "ordeal/engine/process/isolation_child.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/symbols/debug_info.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <new>
#include <set>
#include <utility>

namespace ordeal::detail {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds tick{50};
constexpr std::chrono::seconds grace{2};  // between asking a child to stop and killing it
// A late search that makes progress will end; a heartbeat takes a second of processor time, which may be scarce.
constexpr std::chrono::seconds longest_silence{8};
// So will a search whose executions end. An execution that takes longer than this may be endless, whatever steps it
// makes.
constexpr std::chrono::seconds longest_execution{8};

// A search has a process group of its own: processes that the code on trial starts end with it, and a signal to its
// group reaches no other process.
void kill_all_of(const child_process& child) {
    kill(-child.pid, SIGKILL);
    kill(child.pid, SIGKILL);  // it may have left the group
}

// Reaps the descendants that were reparented to this process when it ended, if any.
void reap_group(pid_t group) {
    while (waitpid(-group, nullptr, 0) > 0 || errno == EINTR) {
    }
}

volatile std::sig_atomic_t suspension_asked = 0;

/// Notices when the terminal stops its foreground group, to which the searches do not belong.
class suspension_watch {
public:
    suspension_watch() noexcept {
        struct sigaction action{};
        sigaction(SIGTSTP, nullptr, &before_);
        if (before_.sa_handler != SIG_DFL) return;
        action.sa_handler = [](int) { suspension_asked = 1; };
        sigemptyset(&action.sa_mask);
        sigaction(SIGTSTP, &action, nullptr);
    }
    ~suspension_watch() { sigaction(SIGTSTP, &before_, nullptr); }
    suspension_watch(const suspension_watch&) = delete;
    suspension_watch& operator=(const suspension_watch&) = delete;

private:
    struct sigaction before_{};
};

/// One search_progress for each process at a time, in memory shared between children and parent; a page each, so that a
/// stray write of a child does not affect its neighbour's.
class shared_progress {
public:
    explicit shared_progress(std::size_t slots)
        : stride_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
          size_(stride_ * slots),
          memory_(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
    }
    ~shared_progress() { munmap(memory_, size_); }
    shared_progress(const shared_progress&) = delete;
    shared_progress& operator=(const shared_progress&) = delete;

    search_progress& begin(std::size_t slot) { return *::new (address(slot)) search_progress; }
    [[nodiscard]] const search_progress& at(std::size_t slot) const {
        return *static_cast<const search_progress*>(address(slot));
    }

private:
    [[nodiscard]] void* address(std::size_t slot) const { return static_cast<char*>(memory_) + slot * stride_; }

    std::size_t stride_;
    std::size_t size_;
    void* memory_;
};

/// The parent's side of run_isolated.
class supervisor {
public:
    supervisor(std::span<const search_job> work, std::span<const std::size_t> groups, const isolation_options& options,
               const progress_callback& on_progress, const done_callback& on_done)
        : work_(work),
          groups_(groups),
          options_(options),
          on_progress_(on_progress),
          on_done_(on_done),
          slots_(std::max(1U, options.jobs)),
          progress_(slots_) {
        for (std::size_t slot = slots_; slot > 0; --slot) free_slots_.push_back(slot - 1);
    }
    ~supervisor() {
        // Reached with children only when a callback threw.
        for (const child_process& child : running_) {
            kill_all_of(child);
            while (waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
            }
            reap_group(child.pid);
            close_files(child);
        }
    }
    supervisor(const supervisor&) = delete;
    supervisor& operator=(const supervisor&) = delete;

    bool run() {
        read_ahead();
        while (true) {
            report_progress();
            suspend_if_asked();
            if (!stopping_) start_some();
            if (running_.empty()) break;
            wait_for_output();
            enforce_limits();
            collect();
        }
        report_progress();
        return !stopping_;
    }

private:
    // Reading debug information for names takes one search some milliseconds. Of many searches some are violated.
    void read_ahead() const {
        constexpr std::size_t many = 16;
        if (work_.size() < many) return;
        std::set<const void*> seen;
        for (const search_job& job : work_) {
            const auto address = reinterpret_cast<std::uintptr_t>(job.what->model.construct);
            if (address != 0 && seen.insert(job.what).second) read_debug_info_ahead(address);
        }
    }

    void report_progress() {
        notice_violations();
        if (!on_progress_ || !on_progress_(progress()) || stopping_) return;
        stopping_ = true;
        stop_asked_ = steady_clock::now();
        for (const child_process& child : running_) kill(child.pid, SIGTERM);
    }

    void suspend_if_asked() {
        if (suspension_asked == 0) return;
        suspension_asked = 0;
        for (const child_process& child : running_) kill(-child.pid, SIGSTOP);
        raise(SIGSTOP);
        for (const child_process& child : running_) kill(-child.pid, SIGCONT);
    }

    [[nodiscard]] isolation_progress progress() const {
        isolation_progress now;
        now.finished = finished_;
        now.total = work_.size();
        now.executions = finished_executions_;
        now.first = first_;
        const steady_time time = steady_clock::now();
        for (const child_process& child : running_) {
            const search_progress& here = progress_.at(child.slot);
            const std::uint64_t executions = executions_of(child);
            now.executions += executions;
            now.running.push_back({&work_[child.job], executions, here.expected, here.expected_error,
                                   std::chrono::duration<double>(time - child.began).count(), here.pairs,
                                   here.newest_pair_after, here.portfolio_executions});
        }
        return now;
    }

    // The code on trial may have overwritten it: no search is that fast.
    [[nodiscard]] std::uint64_t executions_of(const child_process& child) const {
        constexpr double most_in_a_second = 1e9;
        const std::uint64_t told = progress_.at(child.slot).executions;
        const std::chrono::duration<double> taken = steady_clock::now() - child.began;
        return static_cast<double>(told) <= (1 + taken.count()) * most_in_a_second ? told : 0;
    }

    // An audit changes orders in order to cause violations, and an exhibit is expected to be violated.
    void notice(std::size_t job, violation_kind kind) {
        const search_job& of = work_[job];
        if (first_ || !of.how.mutant.overrides.empty() || of.what->expected.violation) return;
        first_ = {&of, kind};
    }

    void notice_violations() {
        for (const child_process& child : running_) {
            const std::uint8_t found = progress_.at(child.slot).found;
            const auto kind = static_cast<violation_kind>(found - 1);
            // The code on trial may have overwritten it.
            if (found != 0 && !to_string(kind).empty()) notice(child.job, kind);
        }
    }

    void start_some() {
        while (next_ < work_.size() && !free_slots_.empty()) {
            const std::size_t job = next_++;
            if (!groups_.empty() && dropped_.contains(groups_[job])) {
                ++finished_;
                continue;
            }
            const std::size_t slot = free_slots_.back();
            std::string why;
            child_process child = start_child(work_[job], progress_.begin(slot), options_, why);
            child.job = job;
            child.slot = slot;
            if (child.pid < 0) {
                search_result failed;
                failed.message = why;
                done(job, failed);
                continue;
            }
            free_slots_.pop_back();
            running_.push_back(std::move(child));
        }
    }

    void wait_for_output() {
        std::vector<pollfd> waits;
        bool ending = false;
        for (const child_process& child : running_) {
            if (!child.hung_up) waits.push_back({child.pipe, POLLIN, 0});
            ending |= child.hung_up;
        }
        // A signal ends the wait early: the progress callback then decides whether to stop.
        poll(waits.data(), waits.size(), ending ? 1 : static_cast<int>(tick.count()));
        for (child_process& child : running_) {
            receive(child);
            look_at_output(child);
        }
    }

    void enforce_limits() {
        const steady_time now = steady_clock::now();
        const std::chrono::duration<double> limit(options_.hard_limit);
        for (child_process& child : running_) {
            if (child.out_of_time || child.overdue || child.endless) continue;
            note_signs_of_life(child, now);
            const bool late = options_.hard_limit > 0 && now - child.began > limit;
            child.overdue = stopping_ && now - stop_asked_ > grace;
            child.out_of_time = !child.overdue && late && now - child.newest_heartbeat > longest_silence;
            child.endless = !child.overdue && late && now - child.began > limit + longest_execution &&
                            now - child.newest_end > longest_execution;
            if (child.overdue || child.out_of_time || child.endless) kill_all_of(child);
        }
    }

    void note_signs_of_life(child_process& child, steady_time now) const {
        const search_progress& here = progress_.at(child.slot);
        if (std::exchange(child.heartbeats, here.heartbeats) != child.heartbeats) child.newest_heartbeat = now;
        if (std::exchange(child.ended, here.executions) != child.ended) child.newest_end = now;
    }

    // Collects ended children; also one whose pipe is still held open by a process that it started.
    void collect() {
        for (std::size_t i = 0; i < running_.size();) {
            siginfo_t ended{};
            const int found = waitid(P_PID, static_cast<id_t>(running_[i].pid), &ended, WEXITED | WNOHANG | WNOWAIT);
            if (found != 0 || ended.si_pid != running_[i].pid) {
                ++i;
                continue;
            }
            child_process child = std::move(running_[i]);
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            kill_all_of(child);  // the group id stays reserved until the child is reaped
            int status = 0;
            waitpid(child.pid, &status, 0);
            reap_group(child.pid);
            receive(child);
            look_at_output(child);
            close_files(child);
            const std::uint64_t executions = executions_of(child);
            free_slots_.push_back(child.slot);
            search_result result = result_of(child, status, executions, options_);
            result.printed = child.printed;
            require_executions(result);  // independently of the engine
            // A process that died reported no limits.
            for (limit& each : unseen_limits(*work_[child.job].what)) {
                if (std::ranges::find(result.limits, each) == result.limits.end())
                    result.limits.push_back(std::move(each));
            }
            if (leaves_code_unchecked(result) && result.message.empty()) {
                result.message = unchecked_code(result.limits).front();
            }
            done(child.job, result);
        }
    }

    void done(std::size_t job, const search_result& result) {
        ++finished_;
        finished_executions_ += result.executions;
        if (result.verdict == verdict::violated && result.kind) notice(job, *result.kind);
        const bool drop = on_done_ && on_done_(job, result);
        if (drop && !groups_.empty()) dropped_.insert(groups_[job]);
    }

    std::span<const search_job> work_;
    std::span<const std::size_t> groups_;
    const isolation_options& options_;
    const progress_callback& on_progress_;
    const done_callback& on_done_;
    std::size_t slots_;
    shared_progress progress_;
    std::vector<std::size_t> free_slots_;
    std::vector<child_process> running_;
    std::set<std::size_t> dropped_;
    std::size_t next_ = 0;
    std::size_t finished_ = 0;
    std::uint64_t finished_executions_ = 0;
    std::optional<noticed_violation> first_;
    bool stopping_ = false;
    steady_time stop_asked_;
    suspension_watch suspension_;
};

}  // namespace

bool run_isolated(std::span<const search_job> work, std::span<const std::size_t> groups,
                  const isolation_options& options, const progress_callback& on_progress,
                  const done_callback& on_done) {
    return supervisor(work, groups, options, on_progress, on_done).run();
}

}  // namespace ordeal::detail
