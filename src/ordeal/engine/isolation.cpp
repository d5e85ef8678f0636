// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/isolation.hpp"

#include "ordeal/engine/isolation_child.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/instrumented/debug_info.hpp"

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
#include <vector>

namespace ordeal {

namespace {

using detail::child_process;
using detail::steady_time;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds tick{50};
constexpr std::chrono::seconds grace{2};  // between asking a child to stop and killing it
// A search that is late and gets somewhere will end; a beat takes a second of processor time, which may be scarce.
constexpr std::chrono::seconds longest_silence{8};

/// One search_progress for each process at a time, in memory that children share with their parent; a page each,
/// so that a child that writes where it should not does not touch its neighbour's.
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
            kill(child.pid, SIGKILL);
            while (waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
            }
            if (child.pipe >= 0) close(child.pipe);
        }
    }
    supervisor(const supervisor&) = delete;
    supervisor& operator=(const supervisor&) = delete;

    bool run() {
        read_ahead();
        while (true) {
            report_progress();
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
    // What one search reads of debug information to name things costs some milliseconds. Of many searches some are violated.
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

    [[nodiscard]] isolation_progress progress() const {
        isolation_progress now;
        now.finished = finished_;
        now.total = work_.size();
        now.executions = finished_executions_;
        now.first = first_;
        const steady_time time = steady_clock::now();
        for (const child_process& child : running_) {
            const search_progress& here = progress_.at(child.slot);
            now.executions += here.executions;
            now.running.push_back({&work_[child.job], here.executions, here.expected, here.expected_error,
                                   std::chrono::duration<double>(time - child.began).count(), here.pairs,
                                   here.newest_pair_after, here.tried});
        }
        return now;
    }

    // An audit changes orders in order to violate, and an exhibit is there to be violated.
    void notice(std::size_t job, violation_kind kind) {
        const search_job& of = work_[job];
        if (first_ || !of.how.overrides.empty() || of.what->expected.violation) return;
        first_ = {&of, kind};
    }

    void notice_violations() {
        for (const child_process& child : running_) {
            const std::uint8_t found = progress_.at(child.slot).found;
            if (found != 0) notice(child.job, static_cast<violation_kind>(found - 1));
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
            child_process child = detail::start_child(work_[job], progress_.begin(slot), options_, why);
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
            if (child.pipe >= 0) waits.push_back({child.pipe, POLLIN, 0});
            ending |= child.pipe < 0;
        }
        // A signal ends the wait early: the progress callback then says whether to stop.
        poll(waits.data(), waits.size(), ending ? 1 : static_cast<int>(tick.count()));
        for (child_process& child : running_) detail::receive(child);
    }

    void enforce_limits() {
        const steady_time now = steady_clock::now();
        const std::chrono::duration<double> limit(options_.hard_limit);
        for (child_process& child : running_) {
            if (child.out_of_time || child.overdue) continue;
            note_beats(child, now);
            child.overdue = stopping_ && now - stop_asked_ > grace;
            child.out_of_time = !child.overdue && options_.hard_limit > 0 && now - child.began > limit &&
                                now - child.newest_beat > longest_silence;
            if (child.overdue || child.out_of_time) kill(child.pid, SIGKILL);
        }
    }

    void note_beats(child_process& child, steady_time now) const {
        const std::uint64_t beats = progress_.at(child.slot).beats;
        if (beats == child.beats) return;
        child.beats = beats;
        child.newest_beat = now;
    }

    // Children that have ended; also one whose pipe some process of its own still holds open.
    void collect() {
        for (std::size_t i = 0; i < running_.size();) {
            int status = 0;
            const pid_t ended = waitpid(running_[i].pid, &status, WNOHANG);
            if (ended != running_[i].pid) {
                ++i;
                continue;
            }
            child_process child = std::move(running_[i]);
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            detail::receive(child);
            if (child.pipe >= 0) close(child.pipe);
            const std::uint64_t executions = progress_.at(child.slot).executions;
            free_slots_.push_back(child.slot);
            search_result result = detail::result_of(child, status, executions, options_);
            require_executions(result);  // whatever the engine thinks of it
            // A process that died told no limits.
            for (limit& each : unseen_limits(*work_[child.job].what)) {
                if (std::ranges::find(result.limits, each) == result.limits.end())
                    result.limits.push_back(std::move(each));
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
};

}  // namespace

bool run_isolated(std::span<const search_job> work, std::span<const std::size_t> groups,
                  const isolation_options& options, const progress_callback& on_progress,
                  const done_callback& on_done) {
    return supervisor(work, groups, options, on_progress, on_done).run();
}

}  // namespace ordeal
