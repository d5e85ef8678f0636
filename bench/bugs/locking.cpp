// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bugs of interleaving, in the shapes of SCTBench (Thomson, Donaldson, Betts, PPoPP 2014), written anew. What is a data
// race there is an atomic here, since a race is found by any order of the two.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace ordeal::bench {

namespace {

using counter = std::atomic<int>;

template <std::size_t N>
consteval std::array<const char*, N> names() {
    std::array<const char*, N> result;
    result.fill("thread");
    return result;
}

struct account {
    static constexpr auto threads = std::array{"deposits", "withdraws", "looks"};
    std::mutex lock;
    counter balance{100};
    counter done{0};

    void run(int thread) {
        if (thread == 0) {
            const std::scoped_lock guard(lock);
            balance = balance + 10;
        } else if (thread == 1) {
            balance = balance - 10;  // without the lock
        }
        if (thread == 2) return;
        ++done;
    }
    void finish() { require(balance == 100, "nothing is lost"); }
};
ORDEAL_SCENARIO("sct/account", account);

// A driver's stop comes between a request's look at the flag and its count.
struct bluetooth_driver {
    static constexpr auto threads = std::array{"request", "stop"};
    counter pending{1};
    std::atomic<bool> stopping{false};
    std::atomic<bool> stopped{false};

    void release() { (void)--pending; }
    void run(int thread) {
        if (thread == 0) {
            if (stopping) return;
            ++pending;
            require(!stopped, "no request after the stop");
            release();
        } else {
            stopping = true;
            release();
            if (pending == 0) stopped = true;
        }
    }
};
ORDEAL_SCENARIO("sct/bluetooth_driver", bluetooth_driver);

struct opposite_locks {
    static constexpr auto threads = std::array{"first", "second"};
    std::mutex a, b;
    counter done{0};

    void run(int thread) {
        const std::scoped_lock outer(thread == 0 ? a : b);
        const std::scoped_lock inner(thread == 0 ? b : a);
        ++done;
    }
};
ORDEAL_SCENARIO("sct/deadlock01", opposite_locks);

// Two threads take the locks in opposite orders, only as the first and the last of a group.
struct carter {
    static constexpr auto threads = std::array{"a", "b", "other", "other"};
    std::mutex m, l;
    int as = 0, bs = 0;
    counter others{0};

    void run(int thread) {
        if (thread >= 2) {
            ++others;
            return;
        }
        int& mine = thread == 0 ? as : bs;
        m.lock();
        if (++mine == 1) l.lock();
        m.unlock();
        ++others;
        m.lock();
        if (--mine == 0) l.unlock();
        m.unlock();
    }
};
ORDEAL_SCENARIO("sct/carter01", carter);

template <int N>
struct philosophers {
    static constexpr auto threads = names<N>();
    std::array<std::mutex, N> forks;
    counter meals{0};

    void run(int thread) {
        const std::scoped_lock left(forks.at(static_cast<std::size_t>(thread)));
        const std::scoped_lock right(forks.at(static_cast<std::size_t>((thread + 1) % N)));
        ++meals;
    }
};
using philosophers_3 = philosophers<3>;
using philosophers_5 = philosophers<5>;
using philosophers_7 = philosophers<7>;
ORDEAL_SCENARIO("sct/din_phil3", philosophers_3);
ORDEAL_SCENARIO("sct/din_phil5", philosophers_5);
ORDEAL_SCENARIO("sct/din_phil7", philosophers_7);

struct lazy {
    static constexpr auto threads = std::array{"adds 1", "adds 2", "looks"};
    std::mutex lock;
    int data = 0;

    void run(int thread) {
        const std::scoped_lock guard(lock);
        if (thread < 2) {
            data += thread + 1;
        } else {
            require(data < 3, "not both came first");
        }
    }
};
ORDEAL_SCENARIO("sct/lazy01", lazy);

// A checker sees one setter's first store without the second: it comes between them, and no other setter before.
template <int Setters>
struct reorder {
    static constexpr auto threads = names<Setters + 1>();
    counter a{0}, b{0};

    void run(int thread) {
        if (thread < Setters) {
            a = 1;
            b = -1;
        } else {
            const int seen = a;
            const int then = b;
            require((seen == 0 && then == 0) || (seen == 1 && then == -1), "both or none");
        }
    }
};
using reorder_3 = reorder<3>;
using reorder_5 = reorder<5>;
using reorder_10 = reorder<10>;
ORDEAL_SCENARIO("sct/reorder_3", reorder_3);
ORDEAL_SCENARIO("sct/reorder_5", reorder_5);
ORDEAL_SCENARIO("sct/reorder_10", reorder_10);

// A stage's result is used before the other stage has come, with a lock for each stage.
template <int Writers>
struct two_stages {
    static constexpr auto threads = names<Writers + 1>();
    std::mutex first_lock, second_lock;
    int first = 0, second = 0;

    void run(int thread) {
        if (thread < Writers) {
            {
                const std::scoped_lock guard(first_lock);
                first = 1;
            }
            const std::scoped_lock guard(second_lock);
            second = 2;
            return;
        }
        int seen = 0;
        {
            const std::scoped_lock guard(first_lock);
            if (first == 0) return;
            seen = first;
        }
        const std::scoped_lock guard(second_lock);
        require(second == seen + 1, "the second stage has come");
    }
};
using two_stages_1 = two_stages<1>;
using two_stages_5 = two_stages<5>;
using two_stages_10 = two_stages<10>;
ORDEAL_SCENARIO("sct/twostage_1", two_stages_1);
ORDEAL_SCENARIO("sct/twostage_5", two_stages_5);
ORDEAL_SCENARIO("sct/twostage_10", two_stages_10);

// One thread guards with another lock than the rest.
template <int Right>
struct wrong_lock {
    static constexpr auto threads = names<Right + 1>();
    std::mutex right, wrong;
    counter value{0};

    void run(int thread) {
        const std::scoped_lock guard(thread == Right ? wrong : right);
        const int before = value;
        value = before + 1;
        require(value == before + 1, "nobody comes between");
    }
};
using wrong_lock_1 = wrong_lock<1>;
using wrong_lock_5 = wrong_lock<5>;
ORDEAL_SCENARIO("sct/wronglock_1", wrong_lock_1);
ORDEAL_SCENARIO("sct/wronglock_5", wrong_lock_5);

struct token_ring {
    static constexpr auto threads = std::array{"a", "b", "c", "d"};
    std::array<counter, 4> x{1, 2, 3, 4};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        x.at(me) = x.at((me + 3) % 4) + 1;
    }
    void finish() {
        require(!(x[1] == x[0] + 1 && x[2] == x[1] + 1 && x[3] == x[2] + 1 && x[0] == 5), "not all in turn, from d on");
    }
};
ORDEAL_SCENARIO("sct/token_ring", token_ring);

// Full and empty are told apart without the lock.
struct stack {
    static constexpr auto threads = std::array{"pushes", "pops"};
    static constexpr int rounds = 4;
    std::mutex lock;
    counter top{0};

    void run(int thread) {
        for (int i = 0; i < rounds; ++i) {
            if (thread == 0) {
                const std::scoped_lock guard(lock);
                top = top + 1;
            } else if (top > 0) {
                const std::scoped_lock guard(lock);
                require(top > 0, "there is one to pop");
                top = top - 1;
                if (i + 1 == rounds) top = 0;
            }
        }
        if (thread == 0 && top > 1) top = 0;  // cleared without the lock
    }
};
ORDEAL_SCENARIO("sct/stack", stack);

// The condition is looked at before the lock is taken.
struct lost_notification {
    static constexpr auto threads = std::array{"waits", "notifies"};
    std::mutex lock;
    std::condition_variable changed;
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) {
            if (ready) return;
            std::unique_lock guard(lock);
            changed.wait(guard);
        } else {
            ready = true;
            changed.notify_one();
        }
    }
};
ORDEAL_SCENARIO("sct/sync02", lost_notification);

// append() asks for the length under the other's lock, and copies so many later.
struct string_buffer {
    static constexpr auto threads = std::array{"appends", "erases"};
    std::mutex lock;
    int length = 10;

    [[nodiscard]] int size() {
        const std::scoped_lock guard(lock);
        return length;
    }
    void run(int thread) {
        if (thread == 0) {
            const int count = size();
            const std::scoped_lock guard(lock);
            require(count <= length, "as many as were promised");
        } else {
            const std::scoped_lock guard(lock);
            length = 0;
        }
    }
};
ORDEAL_SCENARIO("sct/stringbuffer", string_buffer);

// A stack of indices whose head is exchanged without a tag: an element that is popped, pushed and popped meanwhile is
// handed out twice. Found with five preemptions and three threads at least (Vyukov's SafeStack).
struct safe_stack {
    static constexpr auto threads = std::array{"a", "b", "c"};
    static constexpr int size = 3;
    std::array<counter, size> next{1, 2, -1};
    std::array<counter, size> owned{};
    counter head{0};
    counter count{size};

    [[nodiscard]] int pop() {
        while (count > 1) {
            const int from = head;
            const int after = next.at(static_cast<std::size_t>(from)).exchange(-1);
            if (after < 0) continue;
            int expected = from;
            if (head.compare_exchange_strong(expected, after)) {
                --count;
                return from;
            }
            next.at(static_cast<std::size_t>(from)).exchange(after);
        }
        return -1;
    }
    void push(int index) {
        int from = head;
        do {
            next.at(static_cast<std::size_t>(index)) = from;
        } while (!head.compare_exchange_strong(from, index));
        ++count;
    }
    void run(int) {
        for (int i = 0; i < 2; ++i) {
            const int mine = pop();
            if (mine < 0) return;
            require(owned.at(static_cast<std::size_t>(mine)).exchange(1) == 0, "an element has one owner");
            owned.at(static_cast<std::size_t>(mine)) = 0;
            push(mine);
        }
    }
};
ORDEAL_SCENARIO("sct/safestack", safe_stack);

}  // namespace

}  // namespace ordeal::bench
