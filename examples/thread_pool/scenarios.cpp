// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread_pool.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <thread>

namespace examples {
namespace {

constexpr auto one_thread = std::array{"main"};

struct runs_everything {
    static constexpr auto about = "The destructor of a pool of one thread runs what was submitted, in its order.";
    static constexpr auto threads = one_thread;

    void run(int /*thread*/) {
        int result = 0;
        {
            thread_pool pool(1);
            pool.submit([&result] { result = 2; });
            pool.submit([&result] { result *= 21; });
        }
        ordeal::require(result == 42);
    }
};
ORDEAL_SCENARIO("thread_pool/runs_everything", runs_everything);

struct two_workers {
    static constexpr auto about = "The destructor wakes and joins both threads, whoever runs the task.";
    static constexpr auto threads = one_thread;

    void run(int /*thread*/) {
        int result = 0;
        {
            thread_pool pool(2);
            pool.submit([&result] { result = 42; });
        }
        ordeal::require(result == 42);
    }
};
ORDEAL_SCENARIO("thread_pool/two_workers", two_workers);

struct task_submits {
    static constexpr auto about = "A task submits another one while the pool ends: that runs too.";
    static constexpr auto threads = one_thread;

    void run(int /*thread*/) {
        bool done = false;
        {
            thread_pool pool(1);
            pool.submit([&] { pool.submit([&done] { done = true; }); });
        }
        ordeal::require(done);
    }
};
ORDEAL_SCENARIO("thread_pool/task_submits", task_submits);

struct runs_at_once {
    static constexpr auto about = "A thread waits for a task before the pool ends: a worker that sleeps is woken.";
    static constexpr auto threads = one_thread;

    void run(int /*thread*/) {
        std::atomic<bool> done{false};
        thread_pool pool(1);
        pool.submit([&done] {
            done.store(true);
            done.notify_one();
        });
        done.wait(false);
    }
};
ORDEAL_SCENARIO("thread_pool/runs_at_once", runs_at_once);

struct drops {
    static constexpr auto about =
        "A long task ends when the pool is stopped; what waits behind it does not run, and nothing is taken.";
    static constexpr auto threads = one_thread;

    void run(int /*thread*/) {
        bool second_ran = false;
        {
            thread_pool pool(1);
            pool.submit([&pool] {
                while (!pool.stopping()) std::this_thread::yield();
            });
            pool.submit([&second_ran] { second_ran = true; });
            pool.stop();
            ordeal::require(!pool.submit([] {}), "nothing is taken after stop()");
        }
        ordeal::require(!second_ran, "what had not begun is dropped");
    }
};
ORDEAL_SCENARIO("thread_pool/drops", drops);

struct stopped {
    static constexpr auto about =
        "Another thread stops the pool: a task runs once or not at all, and sees why it must end.";
    static constexpr auto threads = one_thread;

    void run(int /*thread*/) {
        int reason = 0;
        int runs = 0;
        bool taken = false;
        {
            thread_pool pool(1);
            std::thread other([&] {
                reason = 42;
                pool.stop();
            });
            taken = pool.submit([&] {
                ++runs;
                if (pool.stopping()) ordeal::require(reason == 42, "what was done before stop() is seen");
            });
            other.join();
        }
        ordeal::require(runs <= (taken ? 1 : 0));
    }
};
ORDEAL_SCENARIO("thread_pool/stopped", stopped);

}  // namespace
}  // namespace examples
