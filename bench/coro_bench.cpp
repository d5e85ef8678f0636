// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The production code without contention, each operation beside the plain operations that it cannot do without.
#include "bench/plain_coroutine.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/task.hpp"

#include <benchmark/benchmark.h>

#include <atomic>

namespace {

using namespace ordeal;
using event_type = coro::manual_reset_event<>;

void set_and_reset(benchmark::State& state) {
    event_type event;
    for (auto _ : state) {
        event.set();
        event.reset();
        benchmark::DoNotOptimize(&event);
    }
}
BENCHMARK(set_and_reset)->Name("event/set_and_reset");

void exchange_and_compare_exchange(benchmark::State& state) {
    std::atomic<void*> word{nullptr};
    for (auto _ : state) {
        benchmark::DoNotOptimize(word.exchange(&word, std::memory_order_acq_rel));
        void* expected = &word;
        benchmark::DoNotOptimize(word.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed));
    }
}
BENCHMARK(exchange_and_compare_exchange)->Name("plain/exchange_and_compare_exchange");

detached await_ready_event(benchmark::State& state, event_type& event) {
    for (auto _ : state) {
        co_await event;
        benchmark::ClobberMemory();
    }
}
void co_await_ready(benchmark::State& state) {
    event_type event(true);
    benchmark::DoNotOptimize(&event);
    await_ready_event(state, event);
}
BENCHMARK(co_await_ready)->Name("event/co_await_ready");

void acquire_load(benchmark::State& state) {
    std::atomic<void*> word{&word};
    benchmark::DoNotOptimize(&word);
    for (auto _ : state) benchmark::DoNotOptimize(word.load(std::memory_order_acquire) == &word);
}
BENCHMARK(acquire_load)->Name("plain/acquire_load");

detached await_until(event_type& event, const bool& stop) {
    while (!stop) {
        co_await event;
        event.reset();
    }
}
void suspend_and_resume(benchmark::State& state) {
    event_type event;
    bool stop = false;
    await_until(event, stop);
    for (auto _ : state) event.set();
    stop = true;
    event.set();
}
BENCHMARK(suspend_and_resume)->Name("event/suspend_and_resume");

detached park_until(bench::plain_parking& parking, const bool& stop) {
    while (!stop) co_await parking;
}
void plain_suspend_and_resume(benchmark::State& state) {
    bench::plain_parking parking;
    bool stop = false;
    park_until(parking, stop);
    for (auto _ : state) parking.parked.resume();
    stop = true;
    parking.parked.resume();
}
BENCHMARK(plain_suspend_and_resume)->Name("plain/suspend_and_resume");

coro::task<int> returned(int value) { co_return value; }
detached await_tasks(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(co_await returned(1));
}
void task_round_trip(benchmark::State& state) { await_tasks(state); }
BENCHMARK(task_round_trip)->Name("task/start_await_destroy");

bench::plain_task plainly_returned(int value) { co_return value; }
detached await_plain_tasks(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(co_await plainly_returned(1));
}
void plain_task_round_trip(benchmark::State& state) { await_plain_tasks(state); }
BENCHMARK(plain_task_round_trip)->Name("plain/start_await_destroy");

coro::task<int> after(event_type& event) {
    co_await event;
    co_return 1;
}
detached await_suspended(event_type& event, int& sum) { sum += co_await after(event); }
void suspended_task_round_trip(benchmark::State& state) {
    event_type event;
    int sum = 0;
    for (auto _ : state) {
        await_suspended(event, sum);
        event.set();
        event.reset();
    }
    benchmark::DoNotOptimize(sum);
}
BENCHMARK(suspended_task_round_trip)->Name("task/start_suspend_resume_destroy");

bench::plain_task after(bench::plain_parking& parking) {
    co_await parking;
    co_return 1;
}
detached await_suspended(bench::plain_parking& parking, int& sum) { sum += co_await after(parking); }
void plain_suspended_task_round_trip(benchmark::State& state) {
    bench::plain_parking parking;
    int sum = 0;
    for (auto _ : state) {
        await_suspended(parking, sum);
        parking.parked.resume();
    }
    benchmark::DoNotOptimize(sum);
}
BENCHMARK(plain_suspended_task_round_trip)->Name("plain/start_suspend_resume_destroy");

}  // namespace
