// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--timeouts late`: in random executions time passes only when no thread can go on otherwise.
#include "source_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

using namespace ordeal::test;
using Catch::Matchers::Contains;

namespace {

// Code that relies on time, as tests do.
constexpr const char* code_with_time = R"(#include <ordeal/trial.h>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
using namespace std::chrono_literals;
using std::chrono::steady_clock;

// Sends after some time. Whether it came in time, after at least so long.
bool receives(std::chrono::seconds sent, std::chrono::seconds limit, std::chrono::seconds least) {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_there = false;
    std::thread sender([&] {
        if (sent != 0s) std::this_thread::sleep_for(sent);
        {
            const std::lock_guard lock(mutex);
            is_there = true;
        }
        changed.notify_one();
    });
    const auto begin = steady_clock::now();
    std::unique_lock lock(mutex);
    const bool in_time = changed.wait_for(lock, limit, [&] { return is_there; });
    lock.unlock();
    const auto passed = steady_clock::now() - begin;
    sender.join();
    assert(passed >= least && passed < least + 1s);
    return in_time;
}
ORDEAL_TRIAL("right/condition") { assert(receives(0s, 10s, 0s)); }
ORDEAL_TRIAL("right/condition/after a sleep") { assert(receives(2s, 10s, 2s)); }
ORDEAL_TRIAL("right/condition/too late") { assert(!receives(10s, 3s, 3s)); }
ORDEAL_TRIAL("right/future") {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread sender([&] { promise.set_value(1); });
    assert(future.wait_for(10s) == std::future_status::ready);
    sender.join();
}
ORDEAL_TRIAL("right/semaphore") {
    std::counting_semaphore<2> semaphore(0);
    std::thread other([&] { semaphore.release(); });
    assert(semaphore.try_acquire_for(10s));
    other.join();
}
template <class Mutex>
void lock_in_time() {
    Mutex mutex;
    std::thread other([&] {
        const std::lock_guard lock(mutex);
        std::this_thread::sleep_for(1s);
    });
    assert(mutex.try_lock_for(10s));
    mutex.unlock();
    other.join();
}
ORDEAL_TRIAL("right/timed mutex") { lock_in_time<std::timed_mutex>(); }
ORDEAL_TRIAL("right/shared timed mutex") { lock_in_time<std::shared_timed_mutex>(); }
ORDEAL_TRIAL("right/flag") {
    std::atomic<bool> done{false};
    std::thread other([&] { done.store(true, std::memory_order_relaxed); });
    std::this_thread::sleep_for(1s);
    assert(done.load(std::memory_order_relaxed));
    other.join();
}
ORDEAL_TRIAL("right/poll") {
    std::atomic<bool> done{false};
    std::thread other([&] {
        std::this_thread::sleep_for(50ms);
        done = true;
    });
    int looked = 0;
    while (!done) {
        std::this_thread::sleep_for(10ms);
        ++looked;
    }
    assert(looked <= 6);
    other.join();
}
ORDEAL_TRIAL("right/clock") {
    std::thread other([] {});
    const auto end = steady_clock::now() + 10s;
    while (steady_clock::now() < end) std::this_thread::yield();
    other.join();
}
ORDEAL_TRIAL("right/order of sleeps") {
    std::atomic<int> last{0};
    std::thread later([&] {
        std::this_thread::sleep_for(3s);
        last = 2;
    });
    std::thread sooner([&] {
        std::this_thread::sleep_for(2s);
        last = 1;
    });
    sooner.join();
    later.join();
    assert(last == 2);
}
ORDEAL_TRIAL("wrong/race") {
    int value = 0;
    std::thread other([&] { value = 1; });
    std::this_thread::sleep_for(1s);
    assert(value == 1);
    other.join();
}
ORDEAL_TRIAL("wrong/lost") {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> is_there{false};
    std::thread sender([&] {
        std::this_thread::sleep_for(1s);
        is_there = true;
        changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!is_there) {
        const auto begin = steady_clock::now();
        changed.wait_for(lock, 10s);
        assert(steady_clock::now() - begin < 5s);
    }
    lock.unlock();
    sender.join();
}
)";

}  // namespace

TEST_CASE("time passes late: code that relies on durations holds, and what is wrong in it is found") {
    const source_folder folder;
    folder.write("time.cpp", code_with_time);
    const std::string command = "ordeal try time.cpp check --search pos=100 --seed 1 --spurious 0 --timeouts ";
    const finished late = folder.in_shell(command + "late 'right/*'");
    INFO(late.out << late.err);
    CHECK(late.code == 0);
    CHECK_THAT(late.out, Contains("11 held within limits, 0 violated, 0 inconclusive"));
    CHECK_THAT(late.out, Contains("time passes only when no thread can go on otherwise"));
    // Each of them relies on time.
    const finished any =
        folder.in_shell(command + "any right/condition right/future right/semaphore 'right/timed mutex' right/flag");
    INFO(any.out << any.err);
    CHECK_THAT(any.out, Contains("7 violated"));

    const finished wrong = folder.in_shell(command + "late 'wrong/*' --json wrong.json");
    INFO(wrong.out << wrong.err);
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.out, Contains("2 violated"));
    CHECK_THAT(wrong.out, Contains("data race: value is read"));
    const auto report = nlohmann::json::parse(folder.in_shell("cat wrong.json").out);
    for (const auto& scenario : report["scenarios"]) {
        const finished replayed =
            folder.in_shell("ordeal try time.cpp replay '" + scenario["replay"].get<std::string>() + "'");
        INFO(replayed.out << replayed.err);
        CHECK(replayed.code == 1);
        CHECK_THAT(replayed.out, Contains("violated: " + scenario["kind"].get<std::string>()));
    }
    CHECK(folder.in_shell(command + "soon").code == 2);
}
