// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics that are waited on and notified: semaphores made of them, and notifications that may come too late.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

enum class posts { right, notifies_first, notifies_once };

template <posts How, int Permits>
struct wait_semaphore {
    static constexpr auto threads = only_main;
    std::atomic<int> permits{0};

    void run(int /*thread*/) {
        std::thread first([this] { acquire_one(); });
        std::thread second([this] { acquire_one(); });
        for (int i = 0; i < Permits; ++i) post(How != posts::notifies_once || i != 0);
        first.join();
        second.join();
    }

private:
    void post(bool notifies) {
        if (How == posts::notifies_first) permits.notify_one();
        permits.fetch_add(1);
        if (How != posts::notifies_first && notifies) permits.notify_one();
    }
    void acquire_one() {
        for (;;) {
            int seen = permits.load();
            if (seen == 0) {
                permits.wait(0);
            } else if (permits.compare_exchange_strong(seen, seen - 1)) {
                return;
            }
        }
    }
};

enum class ending { joined, waited_for, checked_behind };

// P2616: who waits goes on when it sees the store; the notification is still to come.
template <ending How>
struct flag_is_notified_late {
    static constexpr auto threads = only_main;
    int data = 0;

    void run(int /*thread*/) {
        auto flag = std::make_unique<std::atomic<int>>(0);
        std::atomic<int>* const shared = flag.get();
        std::thread setter([this, shared] {
            shared->store(1, release);
            shared->notify_one();
            if (How == ending::checked_behind) data = 1;
        });
        while (flag->load(acquire) == 0) flag->wait(0, acquire);
        if (How == ending::joined) setter.join();
        flag.reset();
        if (How == ending::checked_behind) data = 2;
        if (How != ending::joined) setter.join();
    }
};

// The same with a local variable of a thread that ends.
struct local_is_notified_late {
    static constexpr auto threads = std::array{"waits", "notifies"};
    std::atomic<std::atomic<int>*> shared{nullptr};

    void run(int thread) {
        if (thread == 0) {
            std::atomic<int> local{0};
            shared.store(&local, release);
            local.wait(0, acquire);
        } else if (auto* const flag = shared.load(acquire); flag != nullptr) {
            flag->store(1, release);
            flag->notify_one();
        } else {
            while (shared.load(acquire) == nullptr) std::this_thread::yield();
            shared.load(acquire)->store(1, release);
            shared.load(acquire)->notify_one();
        }
    }
};

/// A wait in a loop that is not left after it takes the notification, which another wait then lacks.
enum class loop_of_waits : std::uint8_t { alone, with_a_wait_for_a_mutex };
template <loop_of_waits Loop>
struct takes_notification_and_looks_again {
    static constexpr auto threads = std::array{"waits and looks", "notifies", "waits"};
    std::atomic<int> notified{0};
    std::atomic<int> flag{0};
    std::mutex mutex;
    std::condition_variable changed;
    bool go = false;

    void run(int thread) {
        if (thread == 2) {
            notified.wait(0);
        } else if (thread == 0) {
            looks();
        } else {
            notified = 1;
            notified.notify_one();
            flag = 1;
            {
                const std::lock_guard lock(mutex);
                go = true;
            }
            changed.notify_one();
        }
    }

private:
    void looks() {
        if (Loop == loop_of_waits::alone) {
            while (flag == 0) notified.wait(0);
        } else {
            std::unique_lock lock(mutex);
            while (!go) {
                changed.wait(lock);
                notified.wait(0);
            }
        }
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;
template <class Program>
using too_late = wrong<Program, violation_kind::notification_after_destruction>;

using two_permits = wait_semaphore<posts::right, 2>;
using three_permits = wait_semaphore<posts::right, 3>;
using notifies_first = stuck<wait_semaphore<posts::notifies_first, 2>>;
using notifies_once = stuck<wait_semaphore<posts::notifies_once, 2>>;
ORDEAL_SCENARIO("programs/wait_semaphore", two_permits);
ORDEAL_SCENARIO("programs/wait_semaphore_one_too_many", three_permits);
ORDEAL_SCENARIO("programs/wait_semaphore_notifies_first", notifies_first);
ORDEAL_SCENARIO("programs/wait_semaphore_notifies_once", notifies_once);
ORDEAL_SCENARIO("programs/takes_notification_in_loop", stuck<takes_notification_and_looks_again<loop_of_waits::alone>>);
ORDEAL_SCENARIO("programs/takes_notification_between_waits",
                stuck<takes_notification_and_looks_again<loop_of_waits::with_a_wait_for_a_mutex>>);
ORDEAL_SCENARIO("programs/notified_before_the_end", flag_is_notified_late<ending::joined>);
ORDEAL_SCENARIO("programs/notified_after_the_end", too_late<flag_is_notified_late<ending::waited_for>>);
ORDEAL_SCENARIO("programs/notified_after_the_end_and_worse", too_late<flag_is_notified_late<ending::checked_behind>>);
ORDEAL_SCENARIO("programs/notified_after_the_end_of_a_thread", too_late<local_is_notified_late>);

}  // namespace

}  // namespace ordeal::model_tests
