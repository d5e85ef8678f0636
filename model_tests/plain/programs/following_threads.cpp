// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More threads than there are ids: those that are created later follow ones that were joined, under their ids.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>

namespace ordeal::model_tests {

namespace {

// Unlike std::thread, it leaves nothing behind that a search could choose from.
template <class Work>
class started {
public:
    explicit started(Work& work) {
        const auto run = [](void* what) -> void* {
            (*static_cast<Work*>(what))();
            return nullptr;
        };
        require(pthread_create(&id_, nullptr, run, &work) == 0);
    }
    [[nodiscard]] pthread_t id() const { return id_; }
    void join() const { require(pthread_join(id_, nullptr) == 0); }

private:
    pthread_t id_{};
};

template <class Work>
void start_and_join(Work work) {
    started(work).join();
}

// `count` threads, one after the other.
void use_up_threads(int count) {
    for (int i = 0; i < count; ++i) start_and_join([] {});
}

constexpr int more_than_ids_given_once = 40;

// Each of them knows what those before it did.
template <int Threads>
struct one_after_the_other {
    static constexpr auto threads = only_main;
    int plain = 0;
    std::atomic<int> count{0};

    void run(int /*thread*/) {
        for (int i = 0; i < Threads; ++i) {
            start_and_join([&] {
                require(plain == i && count.load(relaxed) == i);
                ++plain;
                count.store(plain, relaxed);
            });
        }
        require(plain == Threads);
    }
};

// Two threads have threads one after the other. What one of these does is not ordered with what the others' do.
template <int Each>
struct two_that_create {
    static constexpr auto threads = only_main;
    std::atomic<int> last{0};
    std::array<int, 2> own{};

    void create_and_join(std::size_t who) {
        for (int i = 0; i < Each; ++i) {
            start_and_join([&, who] {
                ++own[who];
                if (own[who] == Each) last.store(static_cast<int>(who) + 1, relaxed);
            });
        }
    }
    void run(int /*thread*/) {
        auto work_of_other = [&] { create_and_join(0); };
        const started other(work_of_other);
        create_and_join(1);
        other.join();
        require(own[0] == Each && own[1] == Each);
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(last.load(relaxed)); }
};

// It is created while its creator goes on; what the creator does then is not ordered before it, although the creator
// has joined the thread that it follows.
struct raced_with_creator {
    static constexpr auto threads = only_main;
    int plain = 0;

    void run(int /*thread*/) {
        use_up_threads(more_than_ids_given_once);
        auto work_of_follows = [&] { plain = 1; };
        const started follows(work_of_follows);
        plain = 2;
        follows.join();
    }
};

// One thread has joined the one before, and says so to another, which looks at what the following thread does: that it
// knows of the end of the one before is no reason.
struct raced_with_who_knows_the_end {
    static constexpr auto threads = only_main;
    int plain = 0;
    std::atomic<bool> joined{false};

    void run(int /*thread*/) {
        auto work_of_reads = [&] {
            if (joined.load(acquire)) require(plain >= 0);
        };
        const started reads(work_of_reads);
        use_up_threads(more_than_ids_given_once);
        joined.store(true, release);
        start_and_join([&] { plain = 1; });
        reads.join();
    }
};

// The same, where the creator publishes only what the threads before have done.
struct ordered_with_the_end {
    static constexpr auto threads = only_main;
    int plain = 0;
    int later = 0;
    std::atomic<bool> joined{false};

    void run(int /*thread*/) {
        auto work_of_reads = [&] {
            if (joined.load(acquire)) require(plain == more_than_ids_given_once);
        };
        const started reads(work_of_reads);
        for (int i = 0; i < more_than_ids_given_once; ++i) start_and_join([&] { ++plain; });
        joined.store(true, release);
        start_and_join([&] { later = 1; });
        reads.join();
    }
};

// One thread joins what another has created. Nothing orders that before the next creation, so no thread may follow:
// the two that race would be one in program order.
struct joined_by_another {
    static constexpr auto threads = only_main;
    int plain = 0;
    std::array<pthread_t, more_than_ids_given_once> all{};
    std::atomic<int> created{0};

    void run(int /*thread*/) {
        auto work_of_joins = [&] {
            for (int i = 0; i < more_than_ids_given_once; ++i) {
                while (created.load(acquire) <= i) std::this_thread::yield();
                require(pthread_join(all[static_cast<std::size_t>(i)], nullptr) == 0);
            }
        };
        const started joins(work_of_joins);
        for (int i = 0; i < more_than_ids_given_once; ++i) {
            const bool writes = i + 2 >= more_than_ids_given_once;
            const auto work = [](void* what) -> void* {
                if (what != nullptr) *static_cast<int*>(what) = 1;
                return nullptr;
            };
            require(pthread_create(&all[static_cast<std::size_t>(i)], nullptr, work, writes ? &plain : nullptr) == 0);
            created.store(i + 1, release);
        }
        joins.join();
    }
};

struct ends_with_its_thread {
    int value = 1;
    ~ends_with_its_thread() { require(value == 2 || value == 1); }
};

// Each finds what is thread-local as it is at the beginning, with an address that another may have had.
struct own_variables {
    static constexpr auto threads = only_main;
    static inline thread_local int plain = 1;
    static inline thread_local std::atomic<int> atomic{1};
    static inline thread_local ends_with_its_thread ending;
    static constexpr int count = 3 * more_than_ids_given_once;
    std::array<pthread_t, count> ids{};
    pthread_key_t key{};

    void run(int /*thread*/) {
        require(pthread_key_create(&key, nullptr) == 0);
        for (int i = 0; i < count; ++i) {
            auto work = [&] {
                require(plain == 1 && atomic.load(relaxed) == 1 && ending.value == 1);
                require(pthread_getspecific(key) == nullptr);
                plain = 2;
                atomic.store(2, relaxed);
                ending.value = 2;
                require(pthread_setspecific(key, &plain) == 0);
            };
            const started one(work);
            ids[static_cast<std::size_t>(i)] = one.id();
            one.join();
        }
        std::ranges::sort(ids);
        require(std::ranges::adjacent_find(ids) == ids.end());
        require(plain == 1 && ending.value == 1);
    }
};

// What a thread has left on its stack is nobody's.
struct variable_of_the_one_before {
    static constexpr auto threads = only_main;
    std::atomic<int*> left{nullptr};

    void run(int /*thread*/) {
        use_up_threads(more_than_ids_given_once);
        start_and_join([&] {
            int local = 1;
            left.store(&local, relaxed);
        });
        auto work_of_follows = [] {};
        const started follows(work_of_follows);
        *left.load(relaxed) = 2;
        follows.join();
    }
};

// The id of a thread that is over is not that of the one that follows it.
struct joined_again {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        use_up_threads(more_than_ids_given_once);
        const auto nothing = [](void*) -> void* { return nullptr; };
        pthread_t first{};
        pthread_t second{};
        require(pthread_create(&first, nullptr, nothing, nullptr) == 0);
        require(pthread_join(first, nullptr) == 0);
        require(pthread_create(&second, nullptr, nothing, nullptr) == 0);
        require(pthread_join(first, nullptr) == 0);
    }
};

// A lock that a thread leaves locked is not that of the thread after it.
struct left_locked {
    static constexpr auto threads = only_main;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

    void run(int /*thread*/) {
        use_up_threads(more_than_ids_given_once);
        start_and_join([&] { require(pthread_mutex_lock(&mutex) == 0); });
        for (int i = 0; i < 4; ++i) start_and_join([&] { (void)pthread_mutex_unlock(&mutex); });
    }
};

// Detached threads are joined by nobody: their ids are their own.
struct some_detached {
    static constexpr auto threads = only_main;
    std::atomic<int> over{0};

    void run(int /*thread*/) {
        for (int i = 0; i < 2 * more_than_ids_given_once; ++i) {
            if (i % 40 == 0) {
                pthread_t detached{};
                const auto ends = [](void* where) -> void* {
                    static_cast<std::atomic<int>*>(where)->store(1, relaxed);
                    return nullptr;
                };
                require(pthread_create(&detached, nullptr, ends, &over) == 0);
                require(pthread_detach(detached) == 0);
            } else {
                start_and_join([] {});
            }
        }
    }
};

// A waiter, a notifier and one that waits for both, again and again.
struct notified_in_turn {
    static constexpr auto threads = only_main;
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;

    void run(int /*thread*/) {
        use_up_threads(more_than_ids_given_once);
        for (int i = 0; i < 2; ++i) {
            auto work_of_waits = [&, i] {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return turn > i; });
            };
            const started waits(work_of_waits);
            auto work_of_notifies = [&] {
                const std::lock_guard lock(mutex);
                ++turn;
                changed.notify_one();
            };
            const started notifies(work_of_notifies);
            waits.join();
            notifies.join();
        }
    }
};

// Wrong in the last thread alone.
template <int Threads>
struct wrong_at_last {
    static constexpr auto threads = only_main;
    std::atomic<int> flag{0};
    int count = 0;

    void run(int /*thread*/) {
        auto work_of_sets = [&] { flag.store(1, relaxed); };
        const started sets(work_of_sets);
        for (int i = 1; i <= Threads; ++i) {
            start_and_join([&, i] {
                ++count;
                if (i == Threads) require(flag.load(relaxed) == 0);
            });
        }
        sets.join();
    }
};

// A thread for each task, of which only some run at a time.
struct fork_and_join {
    static constexpr auto threads = only_main;

    static int sum(int first, int last) {
        if (first == last) return first;
        const int middle = (first + last) / 2;
        int left = 0;
        auto work_of_other = [&] { left = sum(first, middle); };
        const started other(work_of_other);
        const int right = sum(middle + 1, last);
        other.join();
        return left + right;
    }
    void run(int /*thread*/) {
        for (int round = 0; round < 10; ++round) require(sum(1, 6) == 21);
    }
};

// 64 that each make a store of their own.
struct all_at_once {
    static constexpr auto threads = only_main;
    static constexpr std::size_t count = 64;
    std::array<std::atomic<int>, count> stores{};

    void run(int /*thread*/) {
        std::array<pthread_t, count> all{};
        const auto store = [](void* where) -> void* {
            static_cast<std::atomic<int>*>(where)->store(1, relaxed);
            meet();
            return nullptr;
        };
        for (std::size_t i = 0; i < count; ++i) require(pthread_create(&all[i], nullptr, store, &stores[i]) == 0);
        for (const pthread_t each : all) require(pthread_join(each, nullptr) == 0);
        for (const std::atomic<int>& each : stores) require(each.load(relaxed) == 1);
    }
};

ORDEAL_SCENARIO("programs/following_100", met<one_after_the_other<100>>);
ORDEAL_SCENARIO("programs/following_1000", met<one_after_the_other<1000>>);
ORDEAL_SCENARIO("programs/following_two_that_create", two_that_create<50>);
ORDEAL_SCENARIO("programs/following_two_that_create_few", two_that_create<2>);
ORDEAL_SCENARIO("programs/following_ordered_with_the_end", ordered_with_the_end);
ORDEAL_SCENARIO("programs/following_own_variables", met<own_variables>);
ORDEAL_SCENARIO("programs/following_some_detached", met<some_detached>);
ORDEAL_SCENARIO("programs/following_notified_in_turn", notified_in_turn);
ORDEAL_SCENARIO("programs/following_fork_and_join", met<fork_and_join>);
ORDEAL_SCENARIO("programs/threads_64_at_once", all_at_once);

using race_with_creator = wrong<raced_with_creator, violation_kind::data_race>;
ORDEAL_SCENARIO("programs/following_race_with_creator", race_with_creator);
using race_with_who_knows_the_end = wrong<raced_with_who_knows_the_end, violation_kind::data_race>;
ORDEAL_SCENARIO("programs/following_race_with_who_knows_the_end", race_with_who_knows_the_end);
using race_of_joined_by_another = wrong<joined_by_another, violation_kind::data_race>;
ORDEAL_SCENARIO("programs/following_joined_by_another", race_of_joined_by_another);
using use_of_the_one_before = wrong<variable_of_the_one_before, violation_kind::use_after_scope>;
ORDEAL_SCENARIO("programs/following_variable_of_the_one_before", use_of_the_one_before);
using joins_again = wrong<joined_again, violation_kind::precondition>;
ORDEAL_SCENARIO("programs/following_joined_again", joins_again);
using unlocked_by_another = wrong<left_locked, violation_kind::precondition>;
ORDEAL_SCENARIO("programs/following_left_locked", unlocked_by_another);
using wrong_in_the_hundredth = wrong<wrong_at_last<100>, violation_kind::failed_requirement>;
ORDEAL_SCENARIO("programs/following_wrong_at_last", wrong_in_the_hundredth);
using wrong_in_the_third = wrong<wrong_at_last<3>, violation_kind::failed_requirement>;
ORDEAL_SCENARIO("programs/following_wrong_in_third_round", wrong_in_the_third);

}  // namespace

}  // namespace ordeal::model_tests
