// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks made of atomics and a loop, each around plain data: held, and found out when an order is too weak.
#include "model_tests/graph/graph_search.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ordeal::model_tests {

namespace {

struct orders {
    std::memory_order taking;
    std::memory_order leaving;
};

constexpr orders correct{acquire, release};

template <class P, orders With>
class exchange_lock {
public:
    void lock() {
        while (locked_.exchange(true, With.taking)) {
        }
    }
    void unlock() { locked_.store(false, With.leaving); }

private:
    typename P::template atomic<bool> locked_{false};
};

// Looks before it exchanges, and yields.
template <class P, orders With>
class polite_lock {
public:
    void lock() {
        while (locked_.exchange(true, With.taking)) {
            while (locked_.load(relaxed)) P::yield();
        }
    }
    void unlock() { locked_.store(false, With.leaving); }

private:
    typename P::template atomic<bool> locked_{false};
};

template <bool Weak>
struct compare_exchange_lock {
    template <class P, orders With>
    class type {
    public:
        void lock() {
            for (bool expected = false; !take(expected); expected = false) {
            }
        }
        void unlock() { locked_.store(false, With.leaving); }

    private:
        bool take(bool& expected) {
            return Weak ? locked_.compare_exchange_weak(expected, true, With.taking, relaxed)
                        : locked_.compare_exchange_strong(expected, true, With.taking, relaxed);
        }
        typename P::template atomic<bool> locked_{false};
    };
};

template <class P, orders With>
class ticket_lock {
public:
    void lock() {
        const int mine = next_.fetch_add(1, relaxed);
        while (serving_.load(With.taking) != mine) {
        }
    }
    void unlock() { serving_.store(serving_.load(relaxed) + 1, With.leaving); }

private:
    typename P::template atomic<int> next_{0};
    typename P::template atomic<int> serving_{0};
};

// A mutex of the model, tried for in a loop; its orders are its own.
template <class P, orders With>
class tried_mutex {
public:
    void lock() {
        while (!mutex_.try_lock()) {
        }
    }
    void unlock() { mutex_.unlock(); }

private:
    typename P::mutex mutex_;
};

constexpr auto threads_of(std::integral_constant<int, 2> /*count*/) { return two_threads; }
constexpr auto threads_of(std::integral_constant<int, 3> /*count*/) { return three_threads; }

// Each thread multiplies and adds under the lock, so that the result tells in which order they came.
template <template <class, orders> class Lock, orders With, int Threads, int Times = 1>
struct protects {
    template <class P>
    struct test {
        static constexpr auto threads = threads_of(std::integral_constant<int, Threads>());
        Lock<P, With> lock;
        typename P::template cell<int> data{0};
        std::string order;

        void run(int thread) {
            for (int i = 0; i < Times; ++i) {
                lock.lock();
                int& value = data.write();
                value = 10 * value + thread + 1;
                lock.unlock();
            }
        }
        void finish() { order = std::to_string(data.read()); }
        [[nodiscard]] std::string outcome() const { return order; }
    };
};

template <template <class, orders> class Lock>
void check_lock(std::string_view name, std::uint64_t most) {
    CAPTURE(name);
    const auto two = check_held(make_scenario<protects<Lock, correct, 2>::template test>("two threads"), {"12", "21"});
    CHECK(two.executions <= most);
    check_held(make_scenario<protects<Lock, correct, 2, 2>::template test>("two threads, twice"),
               {"1122", "1212", "1221", "2112", "2121", "2211"});
    check_held(make_scenario<protects<Lock, correct, 3>::template test>("three threads"),
               {"123", "132", "213", "231", "312", "321"});
}

template <template <class, orders> class Lock>
void check_weakened(std::string_view name) {
    CAPTURE(name);
    check_violated(make_scenario<protects<Lock, orders{relaxed, release}, 2>::template test>("relaxed taking"),
                   violation_kind::data_race);
    check_violated(make_scenario<protects<Lock, orders{acquire, relaxed}, 2>::template test>("relaxed leaving"),
                   violation_kind::data_race);
}

}  // namespace

TEST_CASE("A lock that exchanges in a loop protects data") {
    check_lock<exchange_lock>("exchange", 8);
    check_weakened<exchange_lock>("exchange");
}

TEST_CASE("A lock that exchanges and looks, yielding, protects data") {
    check_lock<polite_lock>("exchange, and a look", 16);
    check_weakened<polite_lock>("exchange, and a look");
}

TEST_CASE("A lock that compares and exchanges in a loop protects data") {
    check_lock<compare_exchange_lock<false>::type>("strong compare-exchange", 8);
    check_lock<compare_exchange_lock<true>::type>("weak compare-exchange", 8);
    check_weakened<compare_exchange_lock<false>::type>("strong compare-exchange");
    check_weakened<compare_exchange_lock<true>::type>("weak compare-exchange");
}

TEST_CASE("A ticket lock protects data") {
    check_lock<ticket_lock>("ticket", 8);
    check_weakened<ticket_lock>("ticket");
}

TEST_CASE("A mutex that is tried for in a loop protects data") { check_lock<tried_mutex>("try_lock", 8); }

}  // namespace ordeal::model_tests
