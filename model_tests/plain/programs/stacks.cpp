// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of threads: how much room they have, what comes after that, and locals that others use; loops that never end.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace ordeal::model_tests {

namespace {

// Each call has about a hundred bytes on the stack; kept from being made a loop.
[[gnu::noinline]] int sum_to(int number) {
    volatile int mine = number;
    return number == 0 ? 0 : sum_to(number - 1) + mine;
}

// Goes on until the numbers come round.
[[gnu::noinline]] int sum_for_ever() { return sum_to(-1); }

struct recursion_is_deep {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int sum = 0;
        std::thread worker([&sum] { sum = sum_to(20'000); });
        worker.join();
        require(sum == 200'010'000);
    }
};

struct recursion_in_scenario {
    static constexpr auto threads = std::array{"calls", "increments"};
    std::atomic<int> count{0};

    void run(int thread) {
        count.fetch_add(1);
        if (thread == 0) count.fetch_add(sum_for_ever());
    }
};

struct recursion_in_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<int> sum{0};
        std::thread worker([&sum] { sum = sum_for_ever(); });
        worker.join();
    }
};

struct recursion_in_finish {
    static constexpr auto threads = std::array{"nothing"};
    int sum = 0;

    void run(int /*thread*/) {}
    void finish() { sum = sum_for_ever(); }
};

// Every call allocates, so that what allocates comes near the end of the stack at last.
struct recursion_with_allocations {
    static constexpr auto threads = std::array{"calls"};

    void run(int /*thread*/) { (void)append("a text that is too long for its object"); }

private:
    [[gnu::noinline]] static std::size_t append(const std::string& text) {
        volatile char room[32'000];
        room[text.size() % sizeof room] = 1;
        if (text.empty()) return sizeof room;
        return append(text.substr(1) + 'x') + static_cast<std::size_t>(room[text.size() % sizeof room]);
    }
};

template <std::size_t Size>
struct locals_are_large {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int sum = 0;
        std::thread worker([&sum] { sum = fill(3); });
        worker.join();
        require(sum == 6);
    }

private:
    [[gnu::noinline]] static int fill(char with) {
        volatile char room[Size] = {};
        room[0] = with;
        room[Size - 1] = with;
        return room[0] + room[Size - 1];
    }
};

struct local_of_main_is_joined {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int count = 0;
        std::atomic<int> shared{0};
        std::thread worker([&] {
            ++count;
            shared.fetch_add(1);
        });
        shared.fetch_add(1);
        worker.join();
        require(count == 1 && shared == 2);
    }
};

// Whether the order in which the thread says that it is done is enough for the end of what it used.
template <std::memory_order Done>
struct local_of_main_is_waited_for {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int count = 0;
        std::atomic<bool> done{false};
        std::thread([&] {
            ++count;
            done.store(true, Done);
        }).detach();
        while (!done.load(std::memory_order_acquire)) std::this_thread::yield();
    }
};

struct local_lock_is_waited_for {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex mutex;
        std::condition_variable changed;
        bool done = false;
        std::thread([&] {
            const std::lock_guard lock(mutex);
            done = true;
            changed.notify_one();
        }).detach();
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return done; });
    }
};

// Notified when the lock has been given back: by then the waiting thread, and what it waits on, may be gone.
struct local_lock_is_notified_late {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex mutex;
        std::condition_variable changed;
        bool done = false;
        std::thread([&] {
            {
                const std::lock_guard lock(mutex);
                done = true;
            }
            changed.notify_one();
        }).detach();
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return done; });
    }
};

template <class Value>
struct local_of_main_is_left {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        Value count{0};
        std::thread([&count] { ++count; }).detach();
    }
};

struct local_is_handed_out {
    static constexpr auto threads = std::array{"hands out", "uses"};
    std::atomic<int*> shared{nullptr};

    void run(int thread) {
        if (thread == 0) {
            int local = 1;
            shared.store(&local);
        } else if (int* const found = shared.load()) {
            *found = 2;
        }
    }
};

struct local_is_handed_out_by_joined_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        const int* shared = nullptr;
        std::thread worker([&shared] {
            int local = 1;
            shared = &local;
            work_with(&local);
        });
        worker.join();
        require(*shared == 1);
    }

private:
    [[gnu::noinline]] static void work_with(int* number) { *static_cast<int volatile*>(number) = 1; }
};

struct local_is_left_to_finish {
    static constexpr auto threads = std::array{"hands out"};
    volatile int* shared = nullptr;

    void run(int /*thread*/) {
        volatile int local = 1;
        shared = &local;
    }
    void finish() const { require(*shared == 1); }
};

struct local_is_taken_back {
    static constexpr auto threads = std::array{"hands out", "uses"};
    std::mutex mutex;
    int* shared = nullptr;

    void run(int thread) {
        int local = 1;
        if (thread == 0) share(&local);
        {
            const std::lock_guard lock(mutex);
            if (shared != nullptr) ++*shared;
        }
        if (thread == 0) share(nullptr);
    }

private:
    void share(int* local) {
        const std::lock_guard lock(mutex);
        shared = local;
    }
};

thread_local int of_each_thread = 0;

// A place in a thread's own memory, for others to write.
template <bool Waits>
struct thread_local_is_handed_out {
    static constexpr auto threads = only_main;
    std::atomic<int*> shared{nullptr};
    std::atomic<bool> written{false};

    void run(int /*thread*/) {
        of_each_thread = 1;
        std::thread worker([this] {
            shared.store(&of_each_thread);
            while (Waits && !written.load()) std::this_thread::yield();
            require(of_each_thread == (Waits ? 2 : 0));
        });
        if (!Waits) worker.join();
        int* found = nullptr;
        while ((found = shared.load()) == nullptr) std::this_thread::yield();
        *found = 2;
        written.store(true);
        if (Waits) worker.join();
        require(of_each_thread == 1);
    }
};

struct loop_without_end {
    static constexpr auto threads = std::array{"turns", "looks"};
    std::atomic<int> turns{0};

    void run(int thread) {
        if (thread == 1) return (void)turns.load();
        turns.fetch_add(1);
        for (volatile int more = 1; more != 0;) more = more + 1 == 0 ? 1 : more;
    }
};

// Waits for a plain flag, which another thread sets.
struct loop_until_set {
    static constexpr auto threads = std::array{"waits", "sets"};
    volatile bool flag = false;

    void run(int thread) {
        if (thread == 1) flag = true;
        while (!flag) {
        }
    }
};

struct loop_in_finish {
    static constexpr auto threads = std::array{"nothing"};
    volatile bool flag = false;

    void run(int /*thread*/) {}
    void finish() const {
        while (!flag) {
        }
    }
};

struct loop_is_waited_for {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<bool> done{false};
        std::thread worker([&done] {
            for (volatile int more = 1; more != 0;) more = 1;
            done.store(true);
        });
        while (!done.load()) std::this_thread::yield();
        worker.join();
    }
};

// What came before a long run of plain accesses is still told of.
struct race_after_a_long_loop {
    static constexpr auto threads = std::array{"counts", "writes"};
    int value = 0;

    void run(int thread) {
        if (thread == 1) value = 1;
        for (volatile int i = 0; i < 30'000; i = i + 1) {
        }
        if (thread == 0) value = 2;
    }
};

template <class Program>
using crashes = wrong<Program, violation_kind::crash>;
template <class Program>
using used_after_scope = wrong<Program, violation_kind::use_after_scope>;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto release = std::memory_order_release;
constexpr std::size_t megabyte = std::size_t{1} << 20;

ORDEAL_SCENARIO("programs/recursion_is_deep", met<recursion_is_deep>);
ORDEAL_SCENARIO("programs/recursion_in_scenario", crashes<recursion_in_scenario>);
ORDEAL_SCENARIO("programs/recursion_in_thread", crashes<recursion_in_thread>);
ORDEAL_SCENARIO("programs/recursion_in_finish", crashes<recursion_in_finish>);
ORDEAL_SCENARIO("programs/recursion_with_allocations", crashes<recursion_with_allocations>);
ORDEAL_SCENARIO("programs/locals_are_large", met<locals_are_large<2 * megabyte>>);
ORDEAL_SCENARIO("programs/locals_are_larger_than_the_stack", crashes<locals_are_large<9 * megabyte>>);
ORDEAL_SCENARIO("programs/locals_are_much_larger_than_the_stack", crashes<locals_are_large<100 * megabyte>>);
ORDEAL_SCENARIO("programs/locals_reach_another_stack", crashes<locals_are_large<20 * megabyte>>);
ORDEAL_SCENARIO("programs/local_of_main_is_joined", local_of_main_is_joined);
ORDEAL_SCENARIO("programs/local_of_main_is_waited_for", local_of_main_is_waited_for<release>);
ORDEAL_SCENARIO("programs/local_of_main_is_waited_for_relaxed", used_after_scope<local_of_main_is_waited_for<relaxed>>);
ORDEAL_SCENARIO("programs/local_lock_is_waited_for", local_lock_is_waited_for);
ORDEAL_SCENARIO("programs/local_lock_is_notified_late",
                wrong<local_lock_is_notified_late, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/local_of_main_is_left", used_after_scope<local_of_main_is_left<int>>);
ORDEAL_SCENARIO("programs/local_atomic_of_main_is_left", used_after_scope<local_of_main_is_left<std::atomic<int>>>);
ORDEAL_SCENARIO("programs/local_is_handed_out", used_after_scope<local_is_handed_out>);
ORDEAL_SCENARIO("programs/local_is_handed_out_by_joined_thread",
                used_after_scope<local_is_handed_out_by_joined_thread>);
ORDEAL_SCENARIO("programs/local_is_left_to_finish", used_after_scope<local_is_left_to_finish>);
ORDEAL_SCENARIO("programs/local_is_taken_back", local_is_taken_back);
ORDEAL_SCENARIO("programs/thread_local_is_written_while_it_is_there", thread_local_is_handed_out<true>);
ORDEAL_SCENARIO("programs/thread_local_is_handed_out",
                wrong<thread_local_is_handed_out<false>, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/loop_without_end", wrong<loop_without_end, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/loop_in_finish", wrong<loop_in_finish, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/loop_is_waited_for", wrong<loop_is_waited_for, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/loop_until_set", wrong<loop_until_set, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/race_after_a_long_loop", wrong<race_after_a_long_loop, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
