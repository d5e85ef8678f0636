// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/threads/batch.hpp"

#include "ordeal/engine/threads/violations.hpp"
#include "ordeal/real/jitter.hpp"
#include "ordeal/runtime/memory/allocation.hpp"
#include "ordeal/scenario/faults.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

using steady = std::chrono::steady_clock;

constexpr std::size_t cache_line = 64;

struct participant {
    thread_position position;
    std::atomic<std::uint64_t> progress{0};
};

// Pins the `index`-th thread of a scenario to a processor of its own if there are several; otherwise threads would
// mostly alternate. Does nothing if the machine does not allow it.
void pin_to_processor(std::thread& thread, std::size_t index) noexcept {
    cpu_set_t available;
    CPU_ZERO(&available);
    if (sched_getaffinity(0, sizeof(available), &available) != 0) return;
    const int count = CPU_COUNT(&available);
    if (count < 2) return;
    int skip = static_cast<int>(index % static_cast<std::size_t>(count));
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &available) || skip-- != 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        (void)pthread_setaffinity_np(thread.native_handle(), sizeof(one), &one);  // useful, but not required
        return;
    }
}

// Shared by the threads of a run. Never freed: after a violation threads of the code on trial may outlive the run.
class row_of_objects {
public:
    row_of_objects(const scenario& what, const batch_options& how)
        : what_(what),
          how_(how),
          alignment_(std::max(cache_line, what.real.alignment)),
          stride_((what.real.size + alignment_ - 1) / alignment_ * alignment_),
          storage_(static_cast<std::byte*>(std::aligned_alloc(alignment_, stride_ * how.row))),
          arrived_(how.row),
          of_no_interest_(how.row),
          participants_(what.threads.size() + 1) {
        if (storage_ == nullptr) throw std::bad_alloc();
    }
    ~row_of_objects() { std::free(storage_); }
    row_of_objects(const row_of_objects&) = delete;
    row_of_objects& operator=(const row_of_objects&) = delete;

    // The body of the thread that constructs the objects, releases them to the others, finishes and destroys them.
    void coordinate() {
        participant& self = participants_.back();
        count_allocations_of_this_thread();
        // order: relaxed <- stop: a request; nothing is read because of it.
        while (!stopping_.load(std::memory_order_relaxed)) {
            const std::int64_t live_before = counted_live_blocks() - harness_blocks_;
            for (std::size_t i = 0; i < how_.row; ++i) {
                // order: relaxed: row_ hands it to the workers, with the object.
                of_no_interest_[i].store(false, std::memory_order_relaxed);
                note_assumptions_in(&of_no_interest_[i]);
                guarded_on_thread([&] { what_.real.build(object(i)); });
                // order: relaxed: row_ hands it to the workers, with the object.
                arrived_[i].store(0, std::memory_order_relaxed);
            }
            // order: relaxed: row_ hands it to the workers, before any of them counts.
            ended_.store(0, std::memory_order_relaxed);
            // order: release -> work (load of row_): the objects of this row, as they were constructed.
            row_.fetch_add(1, std::memory_order_release);
            // order: acquire <- work (ended_): what every thread did to the objects, which are finished and
            //        destroyed next.
            while (ended_.load(std::memory_order_acquire) != what_.threads.size()) std::this_thread::yield();
            for (std::size_t i = 0; i < how_.row; ++i) guarded_on_thread([&] { finish(i); });
            check_leaks(live_before);
            // order: relaxed -> watch: a number to look at; conclude() reads it after finished_ or for a violation,
            //        where it may be one row behind.
            survived_.store(injected_faults() - faults_before_, std::memory_order_relaxed);
            // order: relaxed -> progress: only whether it changes counts.
            self.progress.fetch_add(1, std::memory_order_relaxed);
            // order: relaxed -> samples: as survived_.
            const std::uint64_t samples = samples_.fetch_add(how_.row, std::memory_order_relaxed) + how_.row;
            if (how_.samples != 0 && samples >= how_.samples) break;
        }
        // order: release -> finished: the outcomes, which the watching thread takes.
        finished_.store(true, std::memory_order_release);
        // order: release -> work (load of row_): finished_, so that a worker that sees the new row ends.
        row_.fetch_add(1, std::memory_order_release);
    }

    // The body of one thread of the scenario.
    void work(std::size_t index) {
        participant& self = participants_[index];
        count_allocations_of_this_thread();
        for (std::uint64_t row = 1;; ++row) {
            // order: acquire <- coordinate (row_): the objects of the row, and finished_.
            while (row_.load(std::memory_order_acquire) < row) std::this_thread::yield();
            // order: relaxed: row_ was acquired.
            if (finished_.load(std::memory_order_relaxed)) return;
            jitter::begin((how_.seed * 1'000'003 + row) * 0x9e3779b97f4a7c15u + index, &self.position);
            for (std::size_t i = 0; i < how_.row; ++i) {
                meet(i);
                note_assumptions_in(&of_no_interest_[i]);
                if (what_.instrumented) begin_apart();
                guarded_on_thread([&] { what_.real.run(object(i), static_cast<int>(index)); });
                fail_allocation(0);  // armed by the scenario and not used up
                // order: relaxed -> progress: only whether it changes counts.
                self.progress.fetch_add(1, std::memory_order_relaxed);
            }
            jitter::end();
            // order: release -> coordinate (ended_): what this thread did to the objects; and the next row's
            //        construction comes after it.
            ended_.fetch_add(1, std::memory_order_release);
        }
    }

    // order: relaxed -> coordinate: a request.
    void stop() noexcept { stopping_.store(true, std::memory_order_relaxed); }
    // order: acquire <- coordinate: the outcomes.
    [[nodiscard]] bool finished() const noexcept { return finished_.load(std::memory_order_acquire); }
    // order: relaxed <- coordinate: a number to show; exact once finished.
    [[nodiscard]] std::uint64_t samples() const noexcept { return samples_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t faults_injected() const noexcept { return injected_faults() - faults_before_; }
    // order: relaxed <- coordinate: as samples().
    [[nodiscard]] std::uint64_t faults_survived() const noexcept { return survived_.load(std::memory_order_relaxed); }
    /// Only once finished.
    [[nodiscard]] std::map<std::string, std::uint64_t>& outcomes() noexcept { return outcomes_; }

    [[nodiscard]] std::uint64_t progress() const noexcept {
        std::uint64_t sum = 0;
        // order: relaxed: only whether the sum changes counts.
        for (const participant& each : participants_) sum += each.progress.load(std::memory_order_relaxed);
        return sum;
    }

    [[nodiscard]] std::string positions() const {
        std::string text;
        for (std::size_t i = 0; i < what_.threads.size(); ++i) {
            // order: relaxed: a hang is reported, and the code on trial must not be ordered by looking on; the file
            //        may be of another operation than the line.
            const char* const file = participants_[i].position.file.load(std::memory_order_relaxed);
            // order: relaxed: as the file.
            const std::uint32_t line = participants_[i].position.line.load(std::memory_order_relaxed);
            text += (i == 0 ? "" : ", ") + what_.threads[i] + " at ";
            text += file == nullptr ? "its beginning" : std::string(file) + ":" + std::to_string(line);
        }
        return text;
    }

private:
    [[nodiscard]] void* object(std::size_t index) noexcept { return storage_ + index * stride_; }

    void finish(std::size_t index) {
        void* const it = object(index);
        note_assumptions_in(&of_no_interest_[index]);
        what_.real.finish(it);
        // order: relaxed: ended_ was acquired.
        if (!of_no_interest_[index].load(std::memory_order_relaxed)) {
            const std::int64_t before = counted_live_blocks();
            ++outcomes_[what_.real.outcome(it)];
            harness_blocks_ += counted_live_blocks() - before;
        }
        what_.real.destroy(it);
    }

    // Code that creates threads of its own may allocate on a counted thread and free on one that is not.
    void check_leaks(std::int64_t live_before) const {
        if (what_.instrumented) return;
        const std::int64_t leaked = counted_live_blocks() - harness_blocks_ - live_before;
        if (leaked == 0) return;
        stop_with_violation(violation_kind::leak, std::to_string(leaked) + " blocks never freed, of " +
                                                      std::to_string(how_.row) + " objects in a row");
    }

    // A short, bounded wait for the others; relaxed, so that it orders nothing between them.
    void meet(std::size_t index) noexcept {
        const auto everybody = static_cast<std::uint32_t>(what_.threads.size());
        // order: relaxed, and so is the load: the threads of the scenario must not be ordered by meeting.
        arrived_[index].fetch_add(1, std::memory_order_relaxed);
        for (int round = 0; round < 200; ++round) {
            // order: relaxed: as above.
            if (arrived_[index].load(std::memory_order_relaxed) >= everybody) return;
        }
    }

    // Code without a policy has no delays at its operations: its threads begin slightly apart instead.
    static void begin_apart() noexcept {
        const std::uint64_t number = jitter::draw() >> 32;
        const std::uint64_t rounds = number % 2 == 0 ? (number >> 8) % 512 : 0;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            // Keeps the compiler from removing the loop.
            asm volatile("" :::);  // NOLINT
        }
    }

    const scenario& what_;
    batch_options how_;
    std::size_t alignment_;
    std::size_t stride_;
    std::byte* storage_;
    std::vector<std::atomic<std::uint32_t>> arrived_;  // per object: how many threads have arrived
    std::vector<std::atomic<bool>> of_no_interest_;    // per object: whether an assumption did not hold
    std::vector<participant> participants_;            // the coordinator is the last
    std::map<std::string, std::uint64_t> outcomes_;
    std::int64_t harness_blocks_ = 0;    // allocated by counting outcomes
    std::atomic<std::uint64_t> row_{0};  // the latest row released to the workers
    std::atomic<std::size_t> ended_{0};  // threads that have finished it
    std::atomic<std::uint64_t> samples_{0};
    const std::uint64_t faults_before_ = injected_faults();
    std::atomic<std::uint64_t> survived_{0};  // faults of the completed rows
    std::atomic<bool> stopping_{false};
    std::atomic<bool> finished_{false};
};

class run {
public:
    run(const scenario& what, const batch_options& how) : how_(how), row_(*new row_of_objects(what, how)) {
        try {
            for (std::size_t i = 0; i < what.threads.size(); ++i) {
                threads_.push_back(std::thread([&row = row_, i] { row.work(i); }));
                if (how.pin) pin_to_processor(threads_.back(), i);
            }
            threads_.push_back(std::thread([&row = row_] { row.coordinate(); }));
        } catch (...) {
            // The threads already started wait for a row that never comes, until the process ends.
            for (std::thread& each : threads_) each.detach();
            throw;
        }
    }

    batch_result watch(const batch_progress& on_progress) {
        const auto begin = steady::now();
        auto last_change = begin;
        std::uint64_t last_progress = 0;
        while (!row_.finished() && !violation_found()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            const auto now = steady::now();
            const std::uint64_t progress = row_.progress();
            if (progress != last_progress) last_change = now;
            last_progress = progress;
            if (seconds(now - last_change) > how_.hang_timeout) {
                note_violation(violation_kind::deadlock, "nothing moves; " + row_.positions());
            }
            const bool asked = on_progress(row_.samples());
            result_.stopped = result_.stopped || asked;
            if (asked || (how_.seconds > 0 && seconds(now - begin) >= how_.seconds)) row_.stop();
        }
        conclude();
        return std::move(result_);
    }

private:
    static double seconds(steady::duration value) { return std::chrono::duration<double>(value).count(); }

    void conclude() {
        result_.ran = true;
        result_.samples = row_.samples();
        result_.faults_injected = row_.faults_injected();
        result_.faults_survived = row_.faults_survived();
        if (const auto violation = first_violation()) {
            result_.kind = violation->kind;
            result_.message = violation->message;
            for (std::thread& each : threads_) each.detach();
            return;
        }
        for (std::thread& each : threads_) each.join();
        result_.outcomes = std::move(row_.outcomes());
        delete &row_;
    }

    const batch_options& how_;
    row_of_objects& row_;
    std::deque<std::thread> threads_;
    batch_result result_;
};

}  // namespace

batch_result run_on_threads(const scenario& what, const batch_options& how, const batch_progress& on_progress) {
    install_violation_handlers();
    try {
        return run(what, how).watch(on_progress);
    } catch (const std::system_error& error) {
        batch_result result;
        result.message = std::string("a thread could not be started: ") + error.what();
        return result;
    }
}

}  // namespace ordeal::detail
