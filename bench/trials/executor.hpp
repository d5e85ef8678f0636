// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal::bench {

/// Workers with a queue each, as executors of libraries have them: a worker that finds its own queue empty takes from the others'
/// before it sleeps. Most of what a short program does with it is set-up and end: threads, names, queues, shared states.
class executor {
public:
    explicit executor(std::size_t workers) {
        for (std::size_t i = 0; i < workers; ++i) {
            workers_.push_back(std::make_unique<worker>());
            workers_.back()->name = "worker " + std::to_string(i) + " of an executor";
            workers_.back()->history.resize(remembered);
        }
        for (std::size_t i = 0; i < workers; ++i) workers_[i]->thread = std::thread([this, i] { work(i); });
    }
    executor(const executor&) = delete;
    executor& operator=(const executor&) = delete;
    /// Runs what was submitted.
    ~executor() {
        for (const auto& each : workers_) {
            {
                const std::scoped_lock guard(each->mutex);
                each->ending = true;
            }
            each->changed.notify_one();
        }
        for (const auto& each : workers_) each->thread.join();
    }

    /// By one thread. The workers get tasks in turns.
    template <class Work>
    [[nodiscard]] auto submit(Work work) {
        auto task = std::make_shared<std::packaged_task<std::invoke_result_t<Work>()>>(std::move(work));
        auto result = task->get_future();
        worker& next = *workers_[next_++ % workers_.size()];
        {
            const std::scoped_lock guard(next.mutex);
            next.queue.emplace_back([task] { (*task)(); });
        }
        next.changed.notify_one();
        return result;
    }

private:
    static constexpr std::size_t remembered = 256;

    struct worker {
        std::string name;
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<std::function<void()>> queue;     // under the mutex
        bool ending = false;                         // under the mutex
        std::vector<std::function<void()>> history;  // the worker's own: what ran last
        std::size_t ran = 0;                         // the worker's own
        std::thread thread;
    };

    [[nodiscard]] static std::function<void()> taken_from(worker& from) {
        const std::scoped_lock guard(from.mutex);
        if (from.queue.empty()) return {};
        auto task = std::move(from.queue.front());
        from.queue.pop_front();
        return task;
    }

    [[nodiscard]] std::function<void()> next_task(std::size_t me) {
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            if (auto task = taken_from(*workers_[(me + i) % workers_.size()])) return task;
        }
        return {};
    }

    void work(std::size_t me) {
        worker& own = *workers_[me];
        for (;;) {
            while (auto task = next_task(me)) {
                task();
                own.history[own.ran++ % remembered] = std::move(task);
            }
            std::unique_lock lock(own.mutex);
            own.changed.wait(lock, [&own] { return own.ending || !own.queue.empty(); });
            if (own.queue.empty()) return;
        }
    }

    std::vector<std::unique_ptr<worker>> workers_;
    std::size_t next_ = 0;
};

}  // namespace ordeal::bench
