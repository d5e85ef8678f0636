// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suites as they are written for Relacy, with the places `$` that its macros need, each with what it declares.
#include <relacy/relacy_std.hpp>

namespace {

struct message_passing : rl::test_suite<message_passing, 2> {
    std::atomic<int> ready;
    rl::var<int> data;
    void before() {
        ready($) = 0;
        data($) = 0;
    }
    void thread(unsigned index) {
        if (index == 0) {
            data($) = 1;
            ready.store(1, rl::memory_order_release);
        } else if (ready($).load(rl::memory_order_acquire) != 0) {
            RL_ASSERT(data($) == 1);
        }
    }
};

struct relaxed_message : rl::test_suite<relaxed_message, 2, rl::test_result_data_race> {
    std::atomic<int> ready;
    VAR_T(int) data;
    void before() {
        ready($) = 0;
        VAR(data) = 0;
    }
    void thread(unsigned index) {
        if (index == 0) {
            VAR(data) = 1;
            ready.store(1, std::mo_relaxed, $);
        } else if (ready.load(std::memory_order_relaxed) != 0) {
            RL_VERIFY(VAR(data) == 1);
        }
    }
};

// By fences in place of orders.
template <bool Fenced>
struct fences : rl::test_suite<fences<Fenced>, 2, Fenced ? rl::test_result_success : rl::test_result_data_race> {
    std::atomic<bool> ready{false};
    rl::var<int> data{0};
    void thread(unsigned index) {
        if (index == 0) {
            data($) += 1;
            if (Fenced) std::atomic_thread_fence(std::memory_order_release);
            ready($).store(true, rl::mo_relaxed, $);
        } else if (ready($).load(rl::mo_relaxed, $)) {
            if (Fenced) std::atomic_thread_fence(rl::mo_acquire, $);
            RL_ASSERT(data($)++ == 1);
        }
    }
};

template <int Threads>
struct counts : rl::test_suite<counts<Threads>, Threads> {
    std::atomic<int> total{0};
    void thread(unsigned index) {
        int seen = 0;
        if (index == 0) {
            while (!total.compare_exchange_weak(seen, seen + 1, rl::mo_relaxed, $, rl::mo_relaxed, $)) {
            }
        } else {
            total($).fetch_add(1);
        }
    }
    void invariant() { RL_ASSERT(total($) <= Threads); }
    void after() { RL_ASSERT(total($) == Threads); }
};

// Some execution comes to it, which is what the suite declares.
struct store_buffering : rl::test_suite<store_buffering, 2, rl::test_result_until_condition_hit> {
    std::atomic<int> x{0}, y{0};
    rl::var<int> seen[2];
    void thread(unsigned index) {
        (index == 0 ? x : y).store(1, rl::memory_order_release);
        seen[index]($) = (index == 0 ? y : x).load(rl::memory_order_acquire);
    }
    void after() { RL_UNTIL(seen[0]($) == 0 && seen[1]($) == 0); }
};

struct draws : rl::test_suite<draws, 1> {
    void thread(unsigned) { RL_ASSERT(rl::rand(4) < 4); }
};
struct draws_the_last : rl::test_suite<draws_the_last, 1, rl::test_result_until_condition_hit> {
    void thread(unsigned) { RL_UNTIL(rl::rand(4) == 3); }
};

struct waits : rl::test_suite<waits, 2> {
    std::mutex lock;
    std::condition_variable changed;
    rl::condition_variable_any any;
    rl::recursive_mutex again;
    rl::var<bool> done{false};
    TLS_T(int) own;
    void thread(unsigned index) {
        own($) = static_cast<int>(index);
        RL_ASSERT(own($) == static_cast<int>(rl::thread_index()));
        if (index == 0) {
            lock.lock($);
            while (!done($)) changed.wait(lock, $);
            lock.unlock($);
        } else {
            std::unique_lock<std::mutex> held(lock);
            done($) = true;
            changed.notify_one($);
        }
    }
};

// A wait that has a time limit ends in any case, by Relacy's calls and by those of std.
struct waits_for_a_while : rl::test_suite<waits_for_a_while, 1> {
    std::mutex lock;
    std::condition_variable changed;
    rl::condition_variable_any any;
    void thread(unsigned) {
        const std::chrono::milliseconds time(1);
        lock.lock($);
        changed.wait_for(lock, 1, $);
        any.wait_until(lock, 1, $);
        RL_ASSERT(!changed.wait_for(lock, 1, [] { return false; }, $));
        RL_ASSERT(!any.wait_until(lock, 1, [] { return false; }, $));
        lock.unlock($);
        std::unique_lock<std::mutex> held(lock);
        if (changed.wait_for(held, time) == std::cv_status::no_timeout) return;
        RL_ASSERT(!changed.wait_for(held, time, [] { return false; }));
        if (changed.wait_until(held, std::chrono::steady_clock::now() + time) == std::cv_status::no_timeout) return;
        RL_ASSERT(!changed.wait_until(held, std::chrono::steady_clock::now() + time, [] { return false; }));
    }
};

struct deadlocks : rl::test_suite<deadlocks, 2, rl::test_result_deadlock> {
    rl::mutex first, second;
    void thread(unsigned index) {
        rl::mutex& outer = index == 0 ? first : second;
        rl::mutex& inner = index == 0 ? second : first;
        outer.lock($);
        inner.lock($);
        inner.unlock($);
        outer.unlock($);
    }
};

struct unlocks : rl::test_suite<unlocks, 1, rl::test_result_unlocking_mutex_wo_ownership> {
    rl::mutex lock;
    void thread(unsigned) { lock.unlock($); }
};

struct leaks : rl::test_suite<leaks, 1, rl::test_result_memory_leak> {
    std::atomic<int*> lost{nullptr};
    void thread(unsigned) { lost = RL_NEW int(1); }
};
struct frees_twice : rl::test_suite<frees_twice, 1, rl::test_result_double_free> {
    std::atomic<int*> number{nullptr};
    void thread(unsigned) {
        number = RL_NEW int(1);
        RL_DELETE(number.load());
        RL_DELETE(number.load());
    }
};
struct uses_freed : rl::test_suite<uses_freed, 1, rl::test_result_access_to_freed_memory> {
    void thread(unsigned) {
        rl::var<int>* const number = RL_NEW rl::var<int>(1);
        RL_DELETE(number);
        RL_ASSERT((*number)($) == 1);
    }
};
struct reads_unwritten : rl::test_suite<reads_unwritten, 1, rl::test_result_unitialized_access> {
    void thread(unsigned) {
        rl::var<int>* const number = RL_NEW rl::var<int>;
        if ((*number)($) == 1) rl::yield(1, $);
        RL_DELETE(number);
    }
};

struct starts : rl::test_suite<starts, 1> {
    static std::size_t const dynamic_thread_count = 2;
    std::atomic<int> started{0};
    static void* body(void* self) {
        static_cast<starts*>(self)->started($).fetch_add(1, rl::memory_order_relaxed);
        return nullptr;
    }
    void thread(unsigned) {
        rl::dyn_thread threads[2];
        for (rl::dyn_thread& each : threads) each.start(&body, this);
        for (rl::dyn_thread& each : threads) each.join();
        RL_ASSERT(started($) == 2);
    }
};

void creates() {
    std::atomic<int> total{0};
    std::thread other([&] { total.fetch_add(1); });
    total.fetch_add(1);
    other.join();
    RL_ASSERT(total == 2);
}

// Not simulated.
struct forgotten : rl::test_suite<forgotten, 1> {
    void thread(unsigned) { RL_ASSERT(false); }
};

}  // namespace

int main() {
    rl::test_params params;
    params.search_type = rl::sched_full;
    params.iteration_count = 1000000;
    params.context_bound = 2;
    rl::simulate_f all[] = {
        &rl::simulate<message_passing>, &rl::simulate<relaxed_message>, &rl::simulate<fences<true>>,
        &rl::simulate<fences<false>>,   &rl::simulate<counts<2>>,       &rl::simulate<counts<3>>,
        &rl::simulate<store_buffering>, &rl::simulate<draws>,           &rl::simulate<draws_the_last>,
        &rl::simulate<waits>,           &rl::simulate<deadlocks>,       &rl::simulate<unlocks>,
        &rl::simulate<leaks>,           &rl::simulate<frees_twice>,     &rl::simulate<uses_freed>,
        &rl::simulate<reads_unwritten>,
    };
    for (rl::simulate_f each : all) {
        if (!each(params)) return 1;
    }
    rl::simulate<starts>();
    rl::simulate<waits_for_a_while>();
    rl::execute<&creates, 1>();
}
