// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool whose workers each have a queue, and look into the others' before they sleep.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

namespace {

using task = std::function<void()>;

class notifying_queue {
public:
    // Nothing, and the task stays with the caller: somebody has the lock.
    bool try_push(task& value) {
        {
            const std::unique_lock lock(mutex_, std::try_to_lock);
            if (!lock) return false;
            tasks_.push_back(std::move(value));
        }
        ready_.notify_one();
        return true;
    }
    void push(task value) {
        {
            const std::lock_guard lock(mutex_);
            tasks_.push_back(std::move(value));
        }
        ready_.notify_one();
    }
    std::optional<task> try_pop() {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock || tasks_.empty()) return std::nullopt;
        return take();
    }
    // Nothing: it is over, and all is done.
    std::optional<task> pop() {
        std::unique_lock lock(mutex_);
        while (tasks_.empty() && !over_) ready_.wait(lock);
        if (tasks_.empty()) return std::nullopt;
        return take();
    }
    void end() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        ready_.notify_all();
    }

private:
    std::optional<task> take() {
        std::optional<task> result(std::move(tasks_.front()));
        tasks_.pop_front();
        return result;
    }

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<task> tasks_;
    bool over_ = false;
};

template <std::size_t Workers>
class stealing_pool {
public:
    stealing_pool() {
        for (std::size_t i = 0; i < Workers; ++i) workers_.emplace_back([this, i] { work(i); });
    }
    stealing_pool(const stealing_pool&) = delete;
    stealing_pool& operator=(const stealing_pool&) = delete;
    ~stealing_pool() {
        for (notifying_queue& each : queues_) each.end();
        for (std::thread& each : workers_) each.join();
    }

    void async(task value) {
        const std::size_t first = next_.fetch_add(1, relaxed);
        for (std::size_t i = 0; i < Workers; ++i) {
            if (queues_[(first + i) % Workers].try_push(value)) return;
        }
        queues_[first % Workers].push(std::move(value));
    }

private:
    void work(std::size_t own) {
        for (;;) {
            std::optional<task> next;
            for (std::size_t i = 0; i < Workers && !next; ++i) next = queues_[(own + i) % Workers].try_pop();
            if (!next) next = queues_[own].pop();
            if (!next) return;
            (*next)();
        }
    }

    std::array<notifying_queue, Workers> queues_;
    std::atomic<std::size_t> next_{0};
    std::vector<std::thread> workers_;
};

// One queue for all workers.
template <std::size_t Workers>
class plain_pool {
public:
    plain_pool() {
        for (std::size_t i = 0; i < Workers; ++i) {
            workers_.emplace_back([this] {
                while (const auto next = queue_.pop()) (*next)();
            });
        }
    }
    plain_pool(const plain_pool&) = delete;
    plain_pool& operator=(const plain_pool&) = delete;
    ~plain_pool() {
        queue_.end();
        for (std::thread& each : workers_) each.join();
    }
    void async(task value) { queue_.push(std::move(value)); }

private:
    notifying_queue queue_;
    std::vector<std::thread> workers_;
};

template <class Pool, int Tasks>
struct tasks_are_done {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<int> sum{0};
        {
            Pool pool;
            for (int i = 1; i <= Tasks; ++i) pool.async([&sum, i] { sum.fetch_add(i, relaxed); });
        }
        require(sum.load(relaxed) == Tasks * (Tasks + 1) / 2);
    }
};

ORDEAL_SCENARIO("programs/plain_pool_of_one", tasks_are_done<plain_pool<1>, 2>);
ORDEAL_SCENARIO("programs/stealing_pool_of_one", tasks_are_done<stealing_pool<1>, 1>);
ORDEAL_SCENARIO("programs/plain_pool_of_two", tasks_are_done<plain_pool<2>, 1>);
ORDEAL_SCENARIO("programs/stealing_pool_of_two", tasks_are_done<stealing_pool<2>, 0>);
// Has more executions than a search makes by itself before other processes help.
ORDEAL_SCENARIO("programs/plain_pool_of_two_with_three", tasks_are_done<plain_pool<2>, 3>);

}  // namespace

}  // namespace ordeal::model_tests
