// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that meet at latches and barriers, in ways in which the order of their arrivals can be seen, and in ways in
// which it cannot.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <latch>
#include <optional>
#include <string>

namespace ordeal::model_tests {

namespace {

constexpr std::array three{"first", "second", "third"};

// They start together, and count: the order of the arrivals is nobody's, that of the additions is seen.
struct start_line {
    static constexpr auto threads = three;
    std::latch start{3};
    std::atomic<int> count{0};
    std::array<int, 3> before{};

    void run(int thread) {
        start.arrive_and_wait();
        before[static_cast<std::size_t>(thread)] = count.fetch_add(1, relaxed);
    }
    [[nodiscard]] std::string outcome() const {
        return std::to_string(before[0]) + std::to_string(before[1]) + std::to_string(before[2]);
    }
};

// What two workers do after they have counted down is not ordered with the other's arrival.
struct after_counting_down {
    static constexpr auto threads = three;
    std::latch done{2};
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    std::array<int, 2> seen{};

    void run(int thread) {
        if (thread == 2) {
            done.wait();
        } else {
            (thread == 0 ? x : y).store(1, relaxed);
            done.count_down();
            seen[static_cast<std::size_t>(thread)] = (thread == 0 ? y : x).load(relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(seen[0]) + std::to_string(seen[1]); }
};

// The second one reads before it arrives what the first writes after its arrival.
struct written_after_arrival {
    static constexpr auto threads = three;
    std::latch done{2};
    std::atomic<int> x{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            done.count_down();
            x.store(1, relaxed);
        } else if (thread == 1) {
            seen = x.load(relaxed);
            done.count_down();
        } else {
            done.wait();
        }
    }
    [[nodiscard]] int outcome() const { return seen; }
};

// Counting down releases and does not acquire ([thread.latch.class]): the last one knows nothing of the others.
struct last_one_reads {
    static constexpr auto threads = std::array{"writes", "reads"};
    std::latch done{2};
    int data = 0;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) data = 1;
        done.count_down();
        if (thread == 1) seen = data;
    }
};

struct last_one_waits : last_one_reads {
    void run(int thread) {
        if (thread == 0) {
            data = 1;
            done.count_down();
        } else {
            done.arrive_and_wait();
            seen = data;
        }
    }
    void finish() const { require(seen == 1); }
};

// Whether all have arrived is asked, so that the order of arrivals is seen.
struct latch_polled {
    static constexpr auto threads = three;
    std::latch done{2};
    int data = 0;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) data = 1;
        if (thread < 2) {
            done.count_down();
        } else if (done.try_wait()) {
            seen = data + 1;
        }
    }
    void finish() const { require(seen != 1); }
    [[nodiscard]] int outcome() const { return seen; }
};

struct latch_of_too_few {
    static constexpr auto threads = std::array{"counts", "waits"};
    std::latch done{2};
    void run(int thread) {
        if (thread == 0) {
            done.count_down();
        } else {
            done.wait();
        }
    }
};

// Who meets whom depends on the order.
template <int Threads>
struct pairs_of_many {
    static constexpr std::array<const char*, Threads> threads = [] {
        std::array<const char*, Threads> all{};
        all.fill("one of many");
        return all;
    }();
    pthread_barrier_t pair;

    pairs_of_many() { pthread_barrier_init(&pair, nullptr, 2); }
    void run(int /*thread*/) { pthread_barrier_wait(&pair); }
    void finish() { pthread_barrier_destroy(&pair); }
};

// In each of two phases every thread reads what the others wrote in the phase before.
struct phases_of_three {
    static constexpr auto threads = three;
    std::barrier<> step{3};
    std::array<int, 3> values{};
    std::array<int, 3> sums{};

    void run(int thread) {
        const auto self = static_cast<std::size_t>(thread);
        values[self] = thread + 1;
        step.arrive_and_wait();
        sums[self] = values[0] + values[1] + values[2];
        step.arrive_and_wait();
        values[self] = sums[(self + 1) % 3];
    }
    void finish() const { require(values[0] == 6 && values[1] == 6 && values[2] == 6); }
};

template <class Program>
struct one_phase_of : Program {
    void run(int thread) {
        const auto self = static_cast<std::size_t>(thread);
        this->values[self] = thread + 1;
        this->step.arrive_and_wait();
        this->sums[self] = this->values[0] + this->values[1] + this->values[2];
        this->values[self] = this->sums[(self + 1) % 3];
    }
    void finish() const {}
};

// One leaves between two phases.
struct one_drops_out {
    static constexpr auto threads = three;
    std::barrier<> step{3};
    std::array<int, 3> values{};
    int sum = 0;

    void run(int thread) {
        values[static_cast<std::size_t>(thread)] = 1;
        if (thread == 0) {
            step.arrive_and_drop();
        } else {
            step.arrive_and_wait();
            step.arrive_and_wait();
            if (thread == 1) sum = values[0] + values[1] + values[2];
        }
    }
    void finish() const { require(sum == 3); }
};

// The thread that does the rest alone is the one that the barrier chooses.
template <bool Chosen>
struct one_does_the_rest {
    static constexpr auto threads = three;
    pthread_barrier_t met;
    std::array<int, 3> values{};
    int sum = 0;

    one_does_the_rest() { pthread_barrier_init(&met, nullptr, 3); }
    void run(int thread) {
        values[static_cast<std::size_t>(thread)] = 1;
        if (Chosen) {
            if (pthread_barrier_wait(&met) == PTHREAD_BARRIER_SERIAL_THREAD) sum = values[0] + values[1] + values[2];
        } else {
            pthread_barrier_wait(&met);
            sum = values[0] + values[1] + values[2];
        }
    }
    void finish() {
        pthread_barrier_destroy(&met);
        require(sum == 3);
    }
};

// A barrier is made anew where another one was.
struct made_anew {
    static constexpr auto threads = std::array{"first", "second"};
    pthread_barrier_t met;

    made_anew() { pthread_barrier_init(&met, nullptr, 1); }
    void run(int thread) {
        if (thread == 0) {
            pthread_barrier_wait(&met);
            pthread_barrier_destroy(&met);
            pthread_barrier_init(&met, nullptr, 1);
            pthread_barrier_wait(&met);
        }
        meet();
    }
    void finish() { pthread_barrier_destroy(&met); }
};

// The one who waits destroys the latch. Whoever counts down last notifies after that, and may come too late, if nothing
// says that the call has returned.
template <bool KnowsThatItReturned>
struct ended_by_who_waited {
    static constexpr auto threads = std::array{"counts down", "waits"};
    std::optional<std::latch> done{1};
    std::atomic<bool> returned{false};

    void run(int thread) {
        if (thread == 0) {
            done->count_down();
            returned.store(true, release);
            returned.notify_one();
        } else {
            done->wait();
            if (KnowsThatItReturned) returned.wait(false, acquire);
            done.reset();
        }
    }
};

// One of the barriers is destroyed, and nobody has waited at it.
struct destroyed_unused {
    static constexpr auto threads = std::array{"meets", "meets, too"};
    pthread_barrier_t met;
    pthread_barrier_t unused;

    destroyed_unused() {
        pthread_barrier_init(&met, nullptr, 2);
        pthread_barrier_init(&unused, nullptr, 2);
    }
    void run(int thread) {
        pthread_barrier_wait(&met);
        if (thread == 0) pthread_barrier_destroy(&unused);
    }
    void finish() { pthread_barrier_destroy(&met); }
};

// Who waited may destroy a barrier of POSIX at once: the destruction waits until the others have left.
struct destroyed_by_who_waited {
    static constexpr auto threads = std::array{"meets", "meets and destroys"};
    pthread_barrier_t met;

    destroyed_by_who_waited() { pthread_barrier_init(&met, nullptr, 2); }
    void run(int thread) {
        pthread_barrier_wait(&met);
        if (thread == 1) pthread_barrier_destroy(&met);
    }
};

}  // namespace

ORDEAL_SCENARIO("programs/arrivals_start_line", start_line);
ORDEAL_SCENARIO("programs/arrivals_after_counting_down", after_counting_down);
ORDEAL_SCENARIO("programs/arrivals_written_after", written_after_arrival);
ORDEAL_SCENARIO("programs/arrivals_last_one_reads", wrong<last_one_reads, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/arrivals_last_one_waits", last_one_waits);
ORDEAL_SCENARIO("programs/arrivals_polled", latch_polled);
ORDEAL_SCENARIO("programs/arrivals_of_too_few", wrong<latch_of_too_few, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/arrivals_pairs_of_three", wrong<pairs_of_many<3>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/arrivals_pairs_of_four", pairs_of_many<4>);
ORDEAL_SCENARIO("programs/arrivals_phases", phases_of_three);
ORDEAL_SCENARIO("programs/arrivals_one_phase", wrong<one_phase_of<phases_of_three>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/arrivals_one_drops_out", one_drops_out);
ORDEAL_SCENARIO("programs/arrivals_one_is_chosen", one_does_the_rest<true>);
ORDEAL_SCENARIO("programs/arrivals_none_is_chosen", wrong<one_does_the_rest<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/arrivals_made_anew", made_anew);
ORDEAL_SCENARIO("programs/arrivals_ended_by_who_waited",
                wrong<ended_by_who_waited<false>, violation_kind::notification_after_destruction>);
ORDEAL_SCENARIO("programs/arrivals_ended_after_the_call", ended_by_who_waited<true>);
ORDEAL_SCENARIO("programs/arrivals_destroyed_unused", destroyed_unused);
ORDEAL_SCENARIO("programs/arrivals_destroyed_by_who_waited", destroyed_by_who_waited);

}  // namespace ordeal::model_tests
