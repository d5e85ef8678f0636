// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits in loops whose headers a thread comes to directly after it took the mutex, so that it may as well have come
// later; and such as only look like that.
#include "model_tests/plain/programs/programs.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <pthread.h>
#include <semaphore.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace ordeal::model_tests {

namespace {

struct takes_turns {
    static constexpr auto threads = std::array{"plays", "plays"};
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;

    void run(int thread) {
        for (int i = 0; i < 5; ++i) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return turn == thread; });
            turn = 1 - turn;
            changed.notify_one();
        }
    }
};

struct bounded_queue {
    static constexpr auto threads = std::array{"pushes", "pushes", "pops", "pops"};
    std::mutex mutex;
    std::condition_variable not_empty;
    std::condition_variable not_full;
    std::vector<int> items;
    std::array<int, 2> popped{};

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread < 2) {
            while (items.size() == 1) not_full.wait(lock);
            items.push_back(thread);
            lock.unlock();
            not_empty.notify_one();
        } else {
            while (items.empty()) not_empty.wait(lock);
            popped[static_cast<std::size_t>(thread) - 2] = items.back();
            items.pop_back();
            lock.unlock();
            not_full.notify_one();
        }
    }
    void finish() { require(popped[0] + popped[1] == 1); }
};

struct sets_a_flag {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::mutex mutex;
    std::condition_variable changed;
    bool set = false;
    int value = 0;

    void sets() {
        {
            const std::scoped_lock lock(mutex);
            set = true;
            value = 1;
        }
        changed.notify_one();
    }
};

// What it reads behind the lock is old when it is woken.
struct keeps_an_old_value : sets_a_flag {
    void run(int thread) {
        if (thread == 0) return sets();
        std::unique_lock lock(mutex);
        const int before = value;
        while (!set) changed.wait(lock);
        require(before == value);
    }
};

// What it waits for is another thing by then.
struct waits_for_what_was_there : sets_a_flag {
    std::array<bool, 2> flags{};
    bool* current = &flags[0];

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread == 0) {
            flags = {true, true};
            current = &flags[1];
            changed.notify_one();
        } else {
            const bool* const watched = current;
            while (!*watched) changed.wait(lock);
            require(watched == current);
        }
    }
};

struct counts_its_looks : sets_a_flag {
    int looks = 0;

    void run(int thread) {
        if (thread == 0) return sets();
        std::unique_lock lock(mutex);
        while (!set) {
            ++looks;
            changed.wait(lock);
        }
        require(looks == 0);
    }
};

struct counts_its_looks_in_an_atomic : sets_a_flag {
    std::atomic<int> looks{0};

    void run(int thread) {
        if (thread == 0) return sets();
        std::unique_lock lock(mutex);
        while (looks.fetch_add(1, relaxed) >= 0 && !set) changed.wait(lock);
        require(looks.load(relaxed) == 1);
    }
};

struct looks_once : sets_a_flag {
    void run(int thread) {
        if (thread == 0) return sets();
        std::unique_lock lock(mutex);
        if (!set) changed.wait(lock);
        require(set);
    }
};

struct tells_whether_it_waited : sets_a_flag {
    void run(int thread) {
        if (thread == 0) return sets();
        std::unique_lock lock(mutex);
        bool waited = false;
        while (!set) {
            changed.wait(lock);
            waited = true;
        }
        require(!waited);
    }
};

// Only a look that finds nothing reads what another thread writes, without the mutex, once this one has gone on.
struct read_and_not_ordered : sets_a_flag {
    static constexpr auto threads = std::array{"sets", "waits", "writes"};
    int other = 0;
    std::atomic<bool> gone_on{false};

    void run(int thread) {
        if (thread == 0) return sets();
        if (thread == 2) {
            if (gone_on.load(relaxed)) other = 1;
            return;
        }
        std::unique_lock lock(mutex);
        while (!set && other == 0) changed.wait(lock);
        lock.unlock();
        gone_on.store(true, relaxed);
    }
};

// The same, where the thread has read it before as well, with an unlock in between: of that the writer knows.
struct read_before_and_not_ordered : sets_a_flag {
    static constexpr auto threads = std::array{"sets", "waits", "writes"};
    std::mutex of_other;
    int other = 0;
    bool once = true;
    std::atomic<bool> gone_on{false};

    void run(int thread) {
        if (thread == 0) return sets();
        if (thread == 2) {
            if (!gone_on.load(relaxed)) return;
            const std::scoped_lock lock(of_other);
            other = 1;
            return;
        }
        do {
            {
                const std::scoped_lock lock(of_other);
                if (other != 0) return;
            }
            std::unique_lock lock(mutex);
            while (!set && other == 0) changed.wait(lock);
        } while (!once);
        gone_on.store(true, relaxed);
    }
};

// The same, where the writer is created by the thread that knows of the other one.
struct created_and_not_ordered : sets_a_flag {
    static constexpr auto threads = only_main;
    int other = 0;
    std::atomic<bool> gone_on{false};

    void run(int /*thread*/) {
        std::thread waits([&] {
            {
                std::unique_lock lock(mutex);
                while (!set && other == 0) changed.wait(lock);
            }
            gone_on.store(true, relaxed);
        });
        std::thread setter([&] { sets(); });
        if (gone_on.load(relaxed)) std::thread([&] { other = 1; }).join();
        waits.join();
        setter.join();
    }
};

// Another thread sees that it waits, by a variable on its own stack.
struct tells_that_it_waits {
    static constexpr auto threads = only_main;
    bool set = false;
    bool seen = false;

    void run(int /*thread*/) {
        std::mutex mutex;
        std::condition_variable changed;
        int waiting = 0;
        std::thread sets([&] {
            const std::scoped_lock lock(mutex);
            seen = waiting != 0;
            set = true;
            changed.notify_one();
        });
        {
            std::unique_lock lock(mutex);
            while (!set) {
                ++waiting;
                changed.wait(lock);
                --waiting;
            }
        }
        sets.join();
        require(!seen);
    }
};

// By the mutex, which the other thread takes while this one waits, that one knows of the memory that this one has
// freed.
struct frees_before_it_waits : sets_a_flag {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::unique_ptr<int> old = std::make_unique<int>(0);
        const auto there = reinterpret_cast<std::uintptr_t>(old.get());
        std::thread frees([&] {
            old.reset();
            std::unique_lock lock(mutex);
            while (!set) changed.wait(lock);
        });
        sets();
        const auto fresh = std::make_unique<int>(1);
        frees.join();
        require(reinterpret_cast<std::uintptr_t>(fresh.get()) != there);
    }
};

// It learns of freed memory only by what it reads when it finds nothing.
struct learns_while_it_looks : sets_a_flag {
    static constexpr auto threads = only_main;
    std::atomic<int> freed{0};

    void run(int /*thread*/) {
        std::unique_ptr<int> old = std::make_unique<int>(0);
        const auto there = reinterpret_cast<std::uintptr_t>(old.get());
        std::thread frees([&] {
            old.reset();
            freed.store(1, release);
        });
        std::thread waits([&] {
            {
                std::unique_lock lock(mutex);
                while (!set && freed.load(acquire) != 2) changed.wait(lock);
            }
            const auto fresh = std::make_unique<int>(1);
            require(reinterpret_cast<std::uintptr_t>(fresh.get()) != there);
        });
        sets();
        frees.join();
        waits.join();
    }
};

// What a thread has of its own is in no memory that is compared.
struct keeps_that_it_waited : sets_a_flag {
    pthread_key_t key = make();

    static pthread_key_t make() {
        pthread_key_t made = 0;
        require(pthread_key_create(&made, nullptr) == 0);
        return made;
    }
    void run(int thread) {
        if (thread == 0) return sets();
        std::unique_lock lock(mutex);
        while (!set) {
            require(pthread_setspecific(key, this) == 0);
            changed.wait(lock);
        }
        require(pthread_getspecific(key) == nullptr);
    }
};

// The C library has it, for each thread.
struct keeps_an_error : sets_a_flag {
    sem_t posted{};

    keeps_an_error() { require(sem_init(&posted, 0, 0) == 0); }
    keeps_an_error(const keeps_an_error&) = delete;
    keeps_an_error& operator=(const keeps_an_error&) = delete;
    ~keeps_an_error() { sem_destroy(&posted); }

    void run(int thread) {
        if (thread == 0) return sets();
        errno = 0;
        {
            std::unique_lock lock(mutex);
            while (!set && sem_trywait(&posted) != 0) changed.wait(lock);
        }
        require(errno == 0);
    }
};

// Two wait, one is meant.
struct wakes_the_wrong_one {
    static constexpr auto threads = std::array{"sets", "waits for one", "waits for two"};
    std::mutex mutex;
    std::condition_variable changed;
    int number = 0;

    void run(int thread) {
        if (thread == 0) {
            for (int i = 0; i < 2; ++i) {
                {
                    const std::scoped_lock lock(mutex);
                    ++number;
                }
                changed.notify_one();
            }
        } else {
            std::unique_lock lock(mutex);
            while (number < thread) changed.wait(lock);
        }
    }
};

struct notifies_too_early : sets_a_flag {
    void run(int thread) {
        if (thread == 0) {
            changed.notify_all();
            const std::scoped_lock lock(mutex);
            set = true;
        } else {
            std::unique_lock lock(mutex);
            while (!set) changed.wait(lock);
        }
    }
};

struct notifies_under_no_lock {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> set{false};

    void run(int thread) {
        if (thread == 0) {
            set.store(true);
            changed.notify_one();
        } else {
            std::unique_lock lock(mutex);
            while (!set.load()) changed.wait(lock);
        }
    }
};

// The execution in which the last thread counts before the second one is found only by following a graph in which the
// wait has ended.
struct others_race {
    static constexpr auto threads = std::array{"waits", "counts and sets", "counts"};
    std::mutex mutex;
    std::condition_variable changed;
    bool set = false;
    std::atomic<int> count{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            std::unique_lock lock(mutex);
            while (!set) changed.wait(lock);
            return;
        }
        const int before = count.fetch_add(1, std::memory_order_relaxed);
        if (thread == 2) return;
        seen = before;
        {
            const std::lock_guard lock(mutex);
            set = true;
        }
        changed.notify_all();
    }
    [[nodiscard]] int outcome() const { return seen; }
};

// The same after a step that nobody may come to later, and with more notifications than are needed.
struct others_race_again {
    static constexpr auto threads = std::array{"counts and sets", "steps and waits", "counts"};
    std::mutex mutex;
    std::condition_variable changed;
    bool set = false;
    int steps = 0;
    std::atomic<int> count{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 1) {
            std::unique_lock lock(mutex);
            ++steps;
            while (!set) changed.wait(lock);
            return;
        }
        const int before = count.fetch_add(1, std::memory_order_relaxed);
        if (thread == 2) return;
        seen = before;
        {
            const std::lock_guard lock(mutex);
            set = true;
        }
        changed.notify_one();
        changed.notify_one();
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(seen); }
};

// A notification from before the wait would not have ended it: it may end spuriously, in vain.
struct looks_in_vain {
    static constexpr auto threads = std::array{"notifies and sets", "waits"};
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> notified{false};
    bool set = false;
    int looks = 0;

    void run(int thread) {
        if (thread == 0) {
            changed.notify_all();
            notified.store(true, std::memory_order_relaxed);
            const std::lock_guard lock(mutex);
            set = true;
            changed.notify_all();
            return;
        }
        if (!notified.load(std::memory_order_relaxed)) return;
        std::unique_lock lock(mutex);
        while (!set) {
            require(++looks == 1, "a wait ends spuriously");
            changed.wait(lock);
        }
    }
};

// Each thread counts before it waits, so it may not as well have come later.
template <int Phases>
struct barrier_by_hand {
    static constexpr auto threads = std::array{"meets", "meets"};
    std::mutex mutex;
    std::condition_variable opened;
    int arrived = 0;
    int phase = 0;

    void run(int /*thread*/) {
        for (int i = 0; i < Phases; ++i) arrive();
    }
    void arrive() {
        std::unique_lock lock(mutex);
        const int mine = phase;
        if (++arrived == 2) {
            arrived = 0;
            ++phase;
            opened.notify_all();
        } else {
            while (phase == mine) opened.wait(lock);
        }
    }
};

template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;
template <class Program>
using hangs = wrong<Program, violation_kind::deadlock>;

ORDEAL_SCENARIO("programs/early_wait/takes_turns", takes_turns);
ORDEAL_SCENARIO("programs/early_wait/bounded_queue", bounded_queue);
ORDEAL_SCENARIO("programs/early_wait/barrier_by_hand", barrier_by_hand<4>);
ORDEAL_SCENARIO("programs/early_wait/looks_in_vain", fails<looks_in_vain>);
ORDEAL_SCENARIO("programs/early_wait/others_race_again", others_race_again);
ORDEAL_SCENARIO("programs/early_wait/others_race", others_race);
ORDEAL_SCENARIO("programs/early_wait/keeps_an_old_value", fails<keeps_an_old_value>);
ORDEAL_SCENARIO("programs/early_wait/waits_for_what_was_there", fails<waits_for_what_was_there>);
ORDEAL_SCENARIO("programs/early_wait/counts_its_looks", fails<counts_its_looks>);
ORDEAL_SCENARIO("programs/early_wait/counts_its_looks_in_an_atomic", fails<counts_its_looks_in_an_atomic>);
ORDEAL_SCENARIO("programs/early_wait/looks_once", fails<looks_once>);
ORDEAL_SCENARIO("programs/early_wait/tells_whether_it_waited", fails<tells_whether_it_waited>);
ORDEAL_SCENARIO("programs/early_wait/read_and_not_ordered", read_and_not_ordered);
ORDEAL_SCENARIO("programs/early_wait/read_before_and_not_ordered", read_before_and_not_ordered);
ORDEAL_SCENARIO("programs/early_wait/created_and_not_ordered", created_and_not_ordered);
ORDEAL_SCENARIO("programs/early_wait/keeps_an_error", fails<keeps_an_error>);
ORDEAL_SCENARIO("programs/early_wait/tells_that_it_waits", fails<tells_that_it_waits>);
ORDEAL_SCENARIO("programs/early_wait/frees_before_it_waits", fails<frees_before_it_waits>);
ORDEAL_SCENARIO("programs/early_wait/learns_while_it_looks", fails<learns_while_it_looks>);
ORDEAL_SCENARIO("programs/early_wait/keeps_that_it_waited", fails<keeps_that_it_waited>);
ORDEAL_SCENARIO("programs/early_wait/wakes_the_wrong_one", hangs<wakes_the_wrong_one>);
ORDEAL_SCENARIO("programs/early_wait/notifies_too_early", hangs<notifies_too_early>);
ORDEAL_SCENARIO("programs/early_wait/notifies_under_no_lock", hangs<notifies_under_no_lock>);

}  // namespace

}  // namespace ordeal::model_tests
