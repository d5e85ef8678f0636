// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <future>, as it is used.
#include "model_tests/plain/programs/programs.hpp"

#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace ordeal::model_tests {

namespace {

struct promise_hands_over {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int beside = 0;
        std::promise<int> promise;
        std::future<int> future = promise.get_future();
        std::thread worker([&beside, promise = std::move(promise)]() mutable {
            beside = 1;
            promise.set_value(42);
        });
        require(future.get() == 42);
        require(beside == 1, "what came before the value is seen too");
        worker.join();
    }
};

struct promise_hands_over_an_exception {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::promise<int> promise;
        std::future<int> future = promise.get_future();
        std::thread worker([promise = std::move(promise)]() mutable {
            try {
                throw std::runtime_error("no value");
            } catch (...) {
                promise.set_exception(std::current_exception());
            }
        });
        try {
            (void)future.get();
            require(false, "there is no value");
        } catch (const std::runtime_error& error) {
            require(error.what() == std::string("no value"));
        }
        worker.join();
    }
};

struct promise_void {
    static constexpr auto threads = std::array{"worker", "waiter"};
    std::promise<void> promise;
    std::future<void> future = promise.get_future();
    int value = 0;

    void run(int thread) {
        if (thread == 0) {
            value = 1;
            promise.set_value();
        } else {
            future.wait();
            require(value == 1);
        }
    }
};

struct shared_future_for_two {
    static constexpr auto threads = std::array{"worker", "waiter", "waiter"};
    std::promise<int> promise;
    std::shared_future<int> future = promise.get_future().share();

    void run(int thread) {
        if (thread == 0) {
            promise.set_value(1);
        } else {
            const std::shared_future<int> own = future;
            require(own.get() == 1);
        }
    }
};

struct task_runs_elsewhere {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::packaged_task<int(int)> task([](int value) { return 2 * value; });
        std::future<int> future = task.get_future();
        const std::jthread worker(std::move(task), 21);
        require(future.get() == 42);
    }
};

struct async_in_a_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int side = 0;
        std::future<int> future = std::async(std::launch::async, [&side] { return ++side; });
        require(future.get() == 1);
        require(side == 1);
    }
};

struct async_later {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::future<int> future = std::async(std::launch::deferred, [] { return 1; });
        require(future.get() == 1);
    }
};

// The side effect is read before the result.
struct async_read_too_early {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int side = 0;
        std::future<int> future = std::async(std::launch::async, [&side] { return ++side; });
        require(side < 2);
        require(future.get() == 1);
    }
};

struct promise_without_waiting {
    static constexpr auto threads = std::array{"worker", "reader"};
    std::promise<void> promise;
    int value = 0;

    void run(int thread) {
        if (thread == 0) {
            value = 1;
            promise.set_value();
        } else {
            require(value < 2);
        }
    }
};

// The promise ends without a value, and nobody catches what get() throws.
struct promise_is_broken {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::promise<int> promise;
        std::future<int> future = promise.get_future();
        const std::jthread worker([promise = std::move(promise)]() mutable { std::promise<int>().swap(promise); });
        (void)future.get();
    }
};

struct promise_set_twice {
    static constexpr auto threads = std::array{"worker", "worker"};
    std::promise<int> promise;

    void run(int thread) { promise.set_value(thread); }
};

ORDEAL_SCENARIO("programs/promise_hands_over", promise_hands_over);
ORDEAL_SCENARIO("programs/promise_hands_over_an_exception", promise_hands_over_an_exception);
ORDEAL_SCENARIO("programs/promise_void", promise_void);
ORDEAL_SCENARIO("programs/shared_future_for_two", shared_future_for_two);
ORDEAL_SCENARIO("programs/packaged_task", task_runs_elsewhere);
ORDEAL_SCENARIO("programs/async", met<async_in_a_thread>);
ORDEAL_SCENARIO("programs/async_deferred", async_later);
ORDEAL_SCENARIO("programs/async_read_too_early", wrong<async_read_too_early, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/promise_without_waiting", wrong<promise_without_waiting, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/promise_is_broken", wrong<promise_is_broken, violation_kind::uncaught_exception>);
ORDEAL_SCENARIO("programs/promise_set_twice", wrong<promise_set_twice, violation_kind::uncaught_exception>);

}  // namespace

}  // namespace ordeal::model_tests
