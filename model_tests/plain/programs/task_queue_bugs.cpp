// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong with condition variables.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace ordeal::model_tests {

namespace {

// A wait that trusts its wake-up: it may be spurious, or another worker was faster.
struct waits_once {
    static constexpr auto threads = std::array{"producer", "worker"};
    std::mutex mutex;
    std::condition_variable ready;
    std::deque<int> tasks;
    bool waiting = false;

    void run(int thread) {
        if (thread == 0) {
            push();
        } else {
            std::unique_lock lock(mutex);
            waiting = true;
            if (tasks.empty()) ready.wait(lock);
            require(!tasks.empty(), "who was woken finds a task");
            tasks.pop_front();
        }
    }

protected:
    void push() {
        const std::lock_guard lock(mutex);
        tasks.push_back(1);
        ready.notify_one();
    }
};

struct item_is_stolen : waits_once {
    static constexpr auto threads = std::array{"producer", "worker", "thief"};

    void run(int thread) {
        if (thread < 2) return waits_once::run(thread);
        const std::lock_guard lock(mutex);
        if (waiting && !tasks.empty()) tasks.pop_front();
    }
};

// A flag and those who wait for it, closed in a right way and in others.
enum class closing { right, without_mutex, one_notified, silent };

template <closing How>
struct closed_queue {
    std::mutex mutex;
    std::condition_variable ready;
    std::atomic<bool> closed{false};

    void run(int thread) {
        if (thread == 0) {
            close();
        } else {
            std::unique_lock lock(mutex);
            while (!closed.load(std::memory_order_relaxed)) ready.wait(lock);
        }
    }
    void finish() const { require(closed.load()); }

private:
    void close() {
        if constexpr (How == closing::without_mutex) {
            closed.store(true);
        } else {
            const std::lock_guard lock(mutex);
            closed.store(true, std::memory_order_relaxed);
        }
        if constexpr (How == closing::one_notified) ready.notify_one();
        if constexpr (How == closing::right || How == closing::without_mutex) ready.notify_all();
    }
};

template <closing How>
struct closed_for_one : closed_queue<How> {
    static constexpr auto threads = std::array{"closer", "worker"};
};

template <closing How>
struct closed_for_two : closed_queue<How> {
    static constexpr auto threads = std::array{"closer", "worker", "worker"};
};

struct flag_without_mutex {
    static constexpr auto threads = std::array{"closer", "worker"};
    std::mutex mutex;
    bool closed = false;
    int iterations = 0;

    void run(int thread) {
        if (thread == 0) {
            const std::lock_guard lock(mutex);
            closed = true;
        } else if (!closed) {
            ++iterations;
        }
    }
};

// Who waits for the end deletes what it waited with, while the other thread may not have done with it.
template <bool NotifiesUnderLock>
struct completion_is_deleted {
    static constexpr auto threads = std::array{"worker", "owner"};
    struct completion {
        std::mutex mutex;
        std::condition_variable changed;
        bool done = false;
    };
    completion* shared = new completion;

    void run(int thread) {
        if (thread == 0) {
            completion& here = *shared;
            std::unique_lock lock(here.mutex);
            here.done = true;
            if (!NotifiesUnderLock) lock.unlock();
            here.changed.notify_one();
        } else {
            {
                std::unique_lock lock(shared->mutex);
                shared->changed.wait(lock, [this] { return shared->done; });
            }
            delete shared;
        }
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;

ORDEAL_SCENARIO("programs/queue_waits_once", wrong<waits_once, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/queue_item_is_stolen", wrong<item_is_stolen, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/queue_closed", closed_for_one<closing::right>);
ORDEAL_SCENARIO("programs/queue_closed_for_two", closed_for_two<closing::right>);
ORDEAL_SCENARIO("programs/queue_closed_without_mutex", stuck<closed_for_one<closing::without_mutex>>);
ORDEAL_SCENARIO("programs/queue_closed_one_notified", stuck<closed_for_two<closing::one_notified>>);
ORDEAL_SCENARIO("programs/queue_one_notified_is_enough_for_one", closed_for_one<closing::one_notified>);
ORDEAL_SCENARIO("programs/queue_closed_silently", stuck<closed_for_one<closing::silent>>);
ORDEAL_SCENARIO("programs/queue_flag_without_mutex", wrong<flag_without_mutex, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/completion_notified_under_lock", completion_is_deleted<true>);
ORDEAL_SCENARIO("programs/completion_notified_after_unlock",
                wrong<completion_is_deleted<false>, violation_kind::unsynchronised_destruction>);

}  // namespace

}  // namespace ordeal::model_tests
