// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of a thread pool: a mutex, a condition variable, a container.
#include "model_tests/plain/programs/programs.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

namespace {

template <class Container>
class task_queue {
public:
    using task = typename Container::value_type;

    void push(task value) {
        {
            const std::lock_guard lock(mutex_);
            tasks_.push_back(std::move(value));
        }
        ready_.notify_one();
    }

    void close() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
        }
        ready_.notify_all();
    }

    // Nothing: the queue is closed, and all tasks are taken.
    [[nodiscard]] std::optional<task> pop() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
        if (tasks_.empty()) return std::nullopt;
        std::optional<task> result(std::move(tasks_.front()));
        tasks_.erase(tasks_.begin());
        return result;
    }

private:
    std::mutex mutex_;
    std::condition_variable ready_;
    Container tasks_;
    bool closed_ = false;
};

template <class Container>
struct one_task_and_close {
    static constexpr auto threads = std::array{"producer", "worker"};
    task_queue<Container> queue;
    int sum = 0;

    void run(int thread) {
        if (thread == 0) {
            queue.push(7);
            queue.close();
        } else {
            while (const auto task = queue.pop()) sum += *task;
        }
    }
    void finish() const { require(sum == 7); }
};

struct two_workers {
    static constexpr auto threads = std::array{"producer", "worker", "worker"};
    static constexpr auto interchangeable = std::array{1, 2};
    task_queue<std::deque<int>> queue;
    std::array<int, 3> got{};

    void run(int thread) {
        if (thread == 0) {
            queue.push(1);
            queue.push(2);
        } else {
            got[static_cast<std::size_t>(thread)] = queue.pop().value();
        }
    }
    void finish() const { require(got[1] + got[2] == 3); }
};

// A pool as a user has it: its destructor finishes what was submitted.
class thread_pool {
public:
    explicit thread_pool(unsigned size) {
        for (unsigned i = 0; i < size; ++i) workers_.emplace_back([this] { work(); });
    }
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;
    ~thread_pool() {
        queue_.close();
        for (std::thread& each : workers_) each.join();
    }

    void submit(std::function<void()> what) { queue_.push(std::move(what)); }

private:
    void work() {
        while (const auto task = queue_.pop()) (*task)();
    }

    task_queue<std::deque<std::function<void()>>> queue_;
    std::vector<std::thread> workers_;
};

template <unsigned Workers>
struct pool_finishes_its_tasks {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int result = 0;
        {
            thread_pool pool(Workers);
            pool.submit([&result] { result = 42; });
        }
        require(result == 42);
    }
};

ORDEAL_SCENARIO("programs/queue_deque", one_task_and_close<std::deque<int>>);
ORDEAL_SCENARIO("programs/queue_vector", one_task_and_close<std::vector<int>>);
ORDEAL_SCENARIO("programs/queue_list", one_task_and_close<std::list<int>>);
ORDEAL_SCENARIO("programs/queue_two_workers", two_workers);
ORDEAL_SCENARIO("programs/pool_of_one", pool_finishes_its_tasks<1>);
ORDEAL_SCENARIO("programs/pool_of_two", pool_finishes_its_tasks<2>);

}  // namespace

}  // namespace ordeal::model_tests
