// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a signal costs on real threads: the event beside what the standard library has for the same. In one thread, which
// signals and then waits; and there and back between two threads, of which one always sleeps or is about to.
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/sync_wait.hpp"

#include <benchmark/benchmark.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace ordeal;

// Each can be signalled and waited for again and again.
class event_signal {
public:
    void signal() { event_.set(); }
    void wait() {
        coro::sync_wait(event_);
        event_.reset();
    }

private:
    coro::manual_reset_event<> event_;
};

class semaphore_signal {
public:
    void signal() { semaphore_.release(); }
    void wait() { semaphore_.acquire(); }

private:
    std::binary_semaphore semaphore_{0};
};

class condition_signal {
public:
    void signal() {
        {
            const std::scoped_lock guard(mutex_);
            signalled_ = true;
        }
        changed_.notify_one();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return signalled_; });
        signalled_ = false;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool signalled_ = false;  // under the mutex
};

// Of one use: the waiting thread makes the next one before it answers, so that the other one finds it.
class promise_signal {
public:
    void signal() {
        std::promise<void> mine = std::move(promise_);  // the other thread may go on before set_value() has ended
        mine.set_value();
    }
    void wait() {
        future_.get();
        promise_ = {};
        future_ = promise_.get_future();
    }

private:
    std::promise<void> promise_;
    std::future<void> future_ = promise_.get_future();
};

template <class Signal>
void in_one_thread(benchmark::State& state) {
    Signal one;
    for (auto _ : state) {
        one.signal();
        one.wait();
        benchmark::DoNotOptimize(&one);
    }
}

// A coroutine needs no thread to sleep: the same event without sync_wait.
detached await_again_and_again(benchmark::State& state, coro::manual_reset_event<>& event) {
    for (auto _ : state) {
        event.set();
        co_await event;
        event.reset();
        benchmark::DoNotOptimize(&event);
    }
}
void awaited_in_one_thread(benchmark::State& state) {
    coro::manual_reset_event<> event;
    await_again_and_again(state, event);
}

detached answer(coro::manual_reset_event<>& question, coro::manual_reset_event<>& answered, const bool& stop) {
    for (;;) {
        co_await question;
        question.reset();
        if (stop) co_return;
        answered.set();
    }
}
// There and back between two coroutines of one thread: where coroutines take the place of threads.
void there_and_back_between_coroutines(benchmark::State& state) {
    coro::manual_reset_event<> question;
    coro::manual_reset_event<> answered;
    bool stop = false;
    answer(question, answered, stop);
    for (auto _ : state) {
        question.set();
        answered.reset();
    }
    stop = true;
    question.set();
}

template <class Signal>
void between_two_threads(benchmark::State& state) {
    Signal there;
    Signal back;
    std::atomic<bool> stop{false};
    std::thread other([&] {
        for (;;) {
            there.wait();
            if (stop.load(std::memory_order_relaxed)) return;
            back.signal();
        }
    });
    for (auto _ : state) {
        there.signal();
        back.wait();
    }
    stop.store(true, std::memory_order_relaxed);
    there.signal();
    other.join();
}

template <class Signal>
void measure(const std::string& name) {
    benchmark::RegisterBenchmark(("one_thread/" + name).c_str(), in_one_thread<Signal>);
    // What a sleeping thread costs its waker and itself is not processor time alone.
    benchmark::RegisterBenchmark(("there_and_back/" + name).c_str(), between_two_threads<Signal>)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
}

const bool registered_all = [] {
    benchmark::RegisterBenchmark("one_thread/event_co_await", awaited_in_one_thread);
    benchmark::RegisterBenchmark("there_and_back/event_co_await", there_and_back_between_coroutines)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
    measure<event_signal>("event_sync_wait");
    measure<semaphore_signal>("binary_semaphore");
    measure<condition_signal>("mutex_and_condition_variable");
    measure<promise_signal>("promise");
    return true;
}();

}  // namespace
