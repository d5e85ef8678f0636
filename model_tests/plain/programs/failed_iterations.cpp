// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose failed iterations are no part of an execution, and some whose iterations are.
#include "model_tests/plain/programs/programs.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace ordeal::model_tests {

namespace {

// An iteration looks at two atomics.
struct waits_for_either {
    static constexpr auto threads = std::array{"writes", "waits"};
    std::atomic<int> first{0};
    std::atomic<int> second{0};

    void run(int thread) {
        if (thread == 0) {
            for (int i = 1; i <= 3; ++i) {
                first = i;
                second = i;
            }
        } else {
            while (first != 3 && second != 3) {
            }
        }
    }
};

// What a failed iteration has read stays in its variables.
struct seqlock {
    static constexpr auto threads = std::array{"writes", "reads"};
    std::atomic<int> sequence{0};
    std::atomic<int> data{0};

    void run(int thread) {
        if (thread == 0) {
            for (int i = 1; i <= 3; ++i) {
                sequence.fetch_add(1);
                data.store(i);
                sequence.fetch_add(1);
            }
        } else {
            for (;;) {
                const int before = sequence.load();
                if (before % 2 != 0) continue;
                const int seen = data.load();
                if (sequence.load() != before) continue;
                require(seen == before / 2);
                return;
            }
        }
    }
};

// Each iteration makes and destroys an object.
struct ring_of_strings {
    static constexpr auto threads = std::array{"pushes", "pops"};
    std::array<std::string, 2> slots;
    std::atomic<std::size_t> head{0};
    std::atomic<std::size_t> tail{0};

    void run(int thread) {
        if (thread == 0) {
            while (!push("one")) {
            }
            while (!push("two")) {
            }
        } else {
            std::optional<std::string> some;
            while (!(some = pop())) {
            }
            require(*some == "one");
            while (!(some = pop())) {
            }
            require(*some == "two");
        }
    }

private:
    bool push(std::string value) {
        const std::size_t at = tail.load(relaxed);
        if ((at + 1) % slots.size() == head.load(acquire)) return false;
        slots[at] = std::move(value);
        tail.store((at + 1) % slots.size(), release);
        return true;
    }
    std::optional<std::string> pop() {
        const std::size_t at = head.load(relaxed);
        if (at == tail.load(acquire)) return std::nullopt;
        std::string value = std::move(slots[at]);
        head.store((at + 1) % slots.size(), release);
        return value;
    }
};

enum class writes { locked, unlocked, nothing };

// An iteration takes a mutex and gives it back.
template <writes How>
struct polls_for_two {
    static constexpr auto threads = std::array{"sets first", "sets second", "polls"};
    std::mutex mutex;
    std::array<bool, 2> set{};

    void run(int thread) {
        if (thread == 2) {
            while (!all_set()) {
            }
        } else if (How == writes::unlocked) {
            set[static_cast<std::size_t>(thread)] = true;
        } else {
            const std::scoped_lock lock(mutex);
            if (How == writes::locked) set[static_cast<std::size_t>(thread)] = true;
        }
    }

private:
    bool all_set() {
        const std::scoped_lock lock(mutex);
        return set[0] && set[1];
    }
};

// An iteration is seen halfway, by one that goes by that.
template <bool Requires>
struct undone_subtraction {
    static constexpr auto threads = std::array{"takes", "looks"};
    std::atomic<int> permits{0};
    std::atomic<int> seen{1};

    void run(int thread) {
        if (thread == 0) {
            while (permits.fetch_sub(1) <= 0) permits.fetch_add(1);
        } else {
            seen = permits.load();
            permits.fetch_add(1);
        }
    }
    void finish() const {
        if (Requires) require(seen == 0);
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(seen); }
};

// An iteration that only a spurious failure brought about is seen halfway, and after it.
struct undone_after_a_spurious_failure {
    static constexpr auto threads = std::array{"takes", "looks twice"};
    std::atomic<int> permits{0};
    std::atomic<int> flag{0};
    int first = 0;
    int second = 0;

    void run(int thread) {
        if (thread == 0) {
            for (;;) {
                permits.fetch_sub(1, relaxed);
                int expected = 0;
                if (flag.compare_exchange_weak(expected, 1, relaxed)) break;
                permits.fetch_add(1, relaxed);
            }
        } else {
            first = permits.load(relaxed);
            second = permits.load(relaxed);
        }
    }
    void finish() const { require(first != -1 || second != 0); }
};

// A store that puts back a value releases nothing of what the write before released.
template <std::memory_order PutsBack>
struct puts_back {
    static constexpr auto threads = std::array{"publishes", "waits", "reads"};
    std::atomic<int> published{0};
    std::atomic<bool> done{false};
    std::atomic<bool> waited{false};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            published.store(1, release);
            done.store(true, relaxed);
        } else if (thread == 1) {
            while (!done.load(relaxed)) {
                const int before = published.exchange(5, acquire);
                published.store(before, PutsBack);
            }
            waited.store(true, relaxed);
        } else {
            while (!waited.load(relaxed)) {
            }
            if (published.load(acquire) == 1) require(data == 42);
        }
    }
};

// Only in a failed iteration does it learn that memory was freed, which it may then be given.
struct learns_of_freed_memory {
    static constexpr auto threads = std::array{"frees", "waits, and allocates"};
    std::atomic<int> freed{0};
    std::atomic<bool> done{false};
    int* const old = new int(1);
    const std::uintptr_t was = reinterpret_cast<std::uintptr_t>(old);
    bool same = false;

    void run(int thread) {
        if (thread == 0) {
            delete old;
            freed.store(1, release);
            freed.store(0, relaxed);
            done.store(true, relaxed);
        } else {
            while (!done.load(relaxed)) (void)freed.load(acquire);
            const int* const next = new int(2);
            same = reinterpret_cast<std::uintptr_t>(next) == was;
            delete next;
        }
    }
    void finish() const { require(!same); }
};

// Tries to lock a second time in its iteration.
struct sees_the_lock_taken {
    static constexpr auto threads = std::array{"polls", "tries"};
    std::mutex mutex;
    std::atomic<int> failed{0};
    bool done = false;

    void run(int thread) {
        if (thread == 0) {
            while (!is_done()) {
            }
        } else {
            if (mutex.try_lock()) {
                mutex.unlock();
            } else {
                failed = 1;
            }
            const std::scoped_lock lock(mutex);
            done = true;
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(failed); }

private:
    bool is_done() {
        const std::scoped_lock lock(mutex);
        return done;
    }
};

// Its failed iterations read what another thread writes only once the loop has ended.
template <std::memory_order Goes>
struct reads_in_failed_iterations {
    static constexpr auto threads = std::array{"waits", "sets"};
    std::atomic<bool> flag{false};
    std::atomic<bool> gone{false};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            int sum = 0;
            while (!flag.load(relaxed)) sum += data;
            require(sum == 0);
            gone.store(true, Goes);
        } else {
            flag.store(true, relaxed);
            while (!gone.load(Goes == release ? acquire : relaxed)) {
            }
            data = 1;
        }
    }
};

// Loops that fail within one that writes.
struct takes_turns {
    static constexpr auto threads = std::array{"takes", "takes"};
    std::array<std::atomic<int>, 4> turns;
    std::atomic<int> next{0};
    std::array<int, 4> taken{};

    takes_turns() {
        for (int i = 0; i < 4; ++i) turns.at(static_cast<std::size_t>(i)).store(i, relaxed);
    }
    void run(int thread) {
        for (int i = 0; i < 2; ++i) take(thread);
    }

private:
    void take(int thread) {
        int at = next.load(relaxed);
        for (;;) {
            const auto place = static_cast<std::size_t>(at % 4);
            if (turns[place].load(acquire) > at) {
                at = next.load(relaxed);
            } else if (next.compare_exchange_weak(at, at + 1, relaxed)) {
                taken[place] = thread;
                turns[place].store(at + 1, release);
                return;
            }
        }
    }
};

// What is added while an iteration has taken the value away is lost.
struct addition_is_overwritten {
    static constexpr auto threads = std::array{"borrows", "adds"};
    std::atomic<int> value{0};
    std::atomic<bool> ends{false};

    void run(int thread) {
        if (thread == 0) {
            while (!ends.load(acquire)) {
                const int before = value.exchange(5);
                value.store(before);
            }
        } else {
            value.fetch_add(1);
            ends.store(true, release);
        }
    }
    void finish() const { require(value.load() == 1); }
};

// A store of the value that is there, after one of the same value that releases: who reads it does not know what that
// one released. Without it, who reads after it in the order of seq_cst would.
struct hides_a_release {
    static constexpr auto threads = std::array{"stores again", "releases", "reads"};
    std::atomic<int> value{1};
    std::atomic<int> released{0};
    std::atomic<int> reads{0};
    std::atomic<bool> ends{false};
    bool before_the_read = false;
    bool knows = false;

    void run(int thread) {
        if (thread == 0) {
            while (!ends.load(relaxed)) value.store(1, relaxed);
        } else if (thread == 1) {
            released.store(1, relaxed);
            value.store(1);
            before_the_read = reads.load() == 0;
        } else {
            reads.store(1);
            (void)value.load();
            knows = released.load(relaxed) == 1;
            ends.store(true, relaxed);
        }
    }
    void finish() const { require(knows || !before_the_read); }
};

// Who finds a value stores another, which the next iteration replaces.
struct replaces_again {
    static constexpr auto threads = std::array{"stores again", "stores another", "reads"};
    std::atomic<int> value{0};
    std::atomic<bool> ends{false};
    std::array<int, 5> seen{};

    void run(int thread) {
        if (thread == 0) {
            while (!ends.load(relaxed)) value.store(1, relaxed);
        } else if (thread == 1) {
            for (int i = 0; i < 2; ++i) {
                while (value.load(relaxed) != 1) {
                }
                value.store(2, relaxed);
            }
            ends.store(true, relaxed);
        } else {
            for (int& each : seen) each = value.load(relaxed);
        }
    }
    void finish() const { require(seen != std::array{1, 2, 1, 2, 1}); }
};

// One of two threads waits twice: first for what a notification tells, then for what ends spuriously. It has come back,
// but the notification is gone, which the other one would have had.
struct notified_in_between {
    static constexpr auto threads = std::array{"notifies", "waits twice", "waits"};
    std::mutex mutex;
    std::condition_variable first;
    std::condition_variable second;
    bool set = false;
    int ready = 0;

    void run(int thread) {
        if (thread == 0) {
            notify();
            return;
        }
        std::unique_lock lock(mutex);
        ++ready;
        while (!set) {
            first.wait(lock);
            if (set || thread == 2) return;
            second.wait(lock);
        }
    }

private:
    [[nodiscard]] bool both_are_ready() {
        const std::scoped_lock lock(mutex);
        return ready == 2;
    }
    void let_go() {
        const std::scoped_lock lock(mutex);
        set = true;
    }
    void notify() {
        const bool both = both_are_ready();
        if (both) first.notify_one();
        let_go();
        if (both) {
            first.notify_one();
        } else {
            first.notify_all();
        }
        second.notify_all();
    }
};

// Each iteration makes a string and lets it go.
struct makes_a_string {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) ready.store(true, release);
        if (thread == 1) {
            while (!ready.load(acquire)) {
                const std::string text(40, 'x');
                require(text.back() == 'x');
            }
        }
    }
};

// The same with what a queue under a mutex gives, or says.
struct polls_for_a_string {
    static constexpr auto threads = std::array{"pushes", "polls"};
    std::mutex mutex;
    std::optional<std::string> pushed;

    void run(int thread) {
        if (thread == 0) {
            const std::scoped_lock lock(mutex);
            pushed = "a message that has to be allocated";
        } else {
            while (take() != "a message that has to be allocated") {
            }
        }
    }

private:
    [[nodiscard]] std::string take() {
        const std::scoped_lock lock(mutex);
        return pushed ? *std::move(pushed) : "nothing yet, which is allocated too";
    }
};

// What an iteration has allocated stays allocated, though nobody knows where.
struct leaks_in_iterations {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) ready.store(true, release);
        if (thread == 1) {
            while (!ready.load(acquire)) (void)new int(1);  // NOLINT: that is what is wrong
        }
    }
};

// What it has allocated may be seen until it is taken back.
struct takes_its_block_back {
    static constexpr auto threads = std::array{"polls", "looks"};
    std::atomic<bool> ready{false};
    std::atomic<int*> offered{nullptr};
    bool seen = false;

    void run(int thread) {
        if (thread == 0) {
            while (!ready.load(acquire)) {
                auto mine = std::make_unique<int>(1);
                offered.exchange(mine.get());
                offered.exchange(nullptr);
            }
        } else {
            seen = offered.load() != nullptr;
            ready.store(true, release);
        }
    }
    [[nodiscard]] std::string outcome() const { return seen ? "seen" : "not seen"; }
};

}  // namespace

ORDEAL_SCENARIO("programs/failed_iteration/addition_is_overwritten",
                wrong<addition_is_overwritten, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/failed_iteration/hides_a_release",
                wrong<hides_a_release, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/failed_iteration/replaces_again", wrong<replaces_again, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/failed_iteration/notified_in_between", wrong<notified_in_between, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/failed_iteration/takes_turns", takes_turns);
ORDEAL_SCENARIO("programs/failed_iteration/makes_a_string", makes_a_string);
ORDEAL_SCENARIO("programs/failed_iteration/polls_for_a_string", polls_for_a_string);
ORDEAL_SCENARIO("programs/failed_iteration/leaks", wrong<leaks_in_iterations, violation_kind::leak>);
ORDEAL_SCENARIO("programs/failed_iteration/takes_its_block_back", takes_its_block_back);
ORDEAL_SCENARIO("programs/failed_iteration/waits_for_either", waits_for_either);
ORDEAL_SCENARIO("programs/failed_iteration/seqlock", seqlock);
ORDEAL_SCENARIO("programs/failed_iteration/ring_of_strings", ring_of_strings);
ORDEAL_SCENARIO("programs/failed_iteration/polls_for_two", polls_for_two<writes::locked>);
ORDEAL_SCENARIO("programs/failed_iteration/polls_for_unlocked",
                wrong<polls_for_two<writes::unlocked>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/failed_iteration/polls_for_nothing",
                wrong<polls_for_two<writes::nothing>, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/failed_iteration/undone_subtraction", undone_subtraction<false>);
ORDEAL_SCENARIO("programs/failed_iteration/undone_subtraction_is_seen",
                wrong<undone_subtraction<true>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/failed_iteration/spurious_failure_is_seen",
                wrong<undone_after_a_spurious_failure, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/failed_iteration/puts_back_released", puts_back<release>);
ORDEAL_SCENARIO("programs/failed_iteration/puts_back_relaxed", wrong<puts_back<relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/failed_iteration/learns_of_freed_memory",
                wrong<learns_of_freed_memory, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/failed_iteration/lock_is_seen", sees_the_lock_taken);
ORDEAL_SCENARIO("programs/failed_iteration/read_and_ordered", reads_in_failed_iterations<release>);
ORDEAL_SCENARIO("programs/failed_iteration/read_and_not_ordered", reads_in_failed_iterations<relaxed>);

}  // namespace ordeal::model_tests
