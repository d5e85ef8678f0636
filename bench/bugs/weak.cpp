// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bugs of memory orders: litmus shapes, and structures with one order too weak. No data is plain, as a race would be found
// by any execution.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace ordeal::bench {

namespace {

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using counter = std::atomic<int>;

struct message_passing {
    static constexpr auto threads = std::array{"sends", "receives"};
    counter data{0}, flag{0};

    void run(int thread) {
        if (thread == 0) {
            data.store(1, memory_order_relaxed);
            flag.store(1, memory_order_relaxed);
        } else if (flag.load(memory_order_acquire) == 1) {
            require(data.load(memory_order_relaxed) == 1, "the message has come");
        }
    }
};
ORDEAL_SCENARIO("weak/message_passing", message_passing);

struct store_buffering {
    static constexpr auto threads = std::array{"left", "right"};
    counter x{0}, y{0};
    int seen_x = 0, seen_y = 0;

    void run(int thread) {
        (thread == 0 ? x : y).store(1, memory_order_release);
        (thread == 0 ? seen_y : seen_x) = (thread == 0 ? y : x).load(memory_order_acquire);
    }
    void finish() { require(seen_x + seen_y > 0, "one sees the other"); }
};
ORDEAL_SCENARIO("weak/store_buffering", store_buffering);

struct independent_reads {
    static constexpr auto threads = std::array{"writes x", "writes y", "reads x, y", "reads y, x"};
    counter x{0}, y{0};
    std::array<int, 4> seen{};

    void run(int thread) {
        switch (thread) {
            case 0: return x.store(1, memory_order_release);
            case 1: return y.store(1, memory_order_release);
            case 2:
                seen[0] = x.load(memory_order_acquire);
                seen[1] = y.load(memory_order_acquire);
                return;
            default: seen[2] = y.load(memory_order_acquire); seen[3] = x.load(memory_order_acquire);
        }
    }
    void finish() {
        require(!(seen[0] == 1 && seen[1] == 0 && seen[2] == 1 && seen[3] == 0), "both see the writes in one order");
    }
};
ORDEAL_SCENARIO("weak/iriw", independent_reads);

struct coherence_of_writes {
    static constexpr auto threads = std::array{"writes x, y", "writes y, x"};
    counter x{0}, y{0};

    void run(int thread) {
        (thread == 0 ? x : y).store(1, memory_order_relaxed);
        (thread == 0 ? y : x).store(2, memory_order_relaxed);
    }
    void finish() {
        require(!(x.load(memory_order_relaxed) == 1 && y.load(memory_order_relaxed) == 1),
                "a second store is the last");
    }
};
ORDEAL_SCENARIO("weak/2+2w", coherence_of_writes);

struct peterson {
    static constexpr auto threads = std::array{"left", "right"};
    std::array<counter, 2> wants{};
    counter turn{0}, inside{0};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        wants.at(me).store(1, memory_order_release);
        turn.store(1 - thread, memory_order_release);
        while (wants.at(1 - me).load(memory_order_acquire) == 1 && turn.load(memory_order_acquire) == 1 - thread) {
        }
        require(inside.fetch_add(1, memory_order_relaxed) == 0, "one at a time");
        inside.fetch_sub(1, memory_order_relaxed);
        wants.at(me).store(0, memory_order_release);
    }
};
ORDEAL_SCENARIO("weak/peterson", peterson);

struct sequence_lock {
    static constexpr auto threads = std::array{"writes", "reads"};
    static constexpr int rounds = 3;
    counter sequence{0};
    counter a{0}, b{0};

    void run(int thread) {
        if (thread == 0) {
            for (int i = 1; i <= rounds; ++i) {
                sequence.store(2 * i - 1, memory_order_relaxed);
                std::atomic_thread_fence(memory_order_release);
                a.store(i, memory_order_relaxed);
                b.store(i, memory_order_relaxed);
                sequence.store(2 * i, memory_order_relaxed);  // release is missing
            }
            return;
        }
        const int before = sequence.load(memory_order_acquire);
        const int first = a.load(memory_order_relaxed);
        const int second = b.load(memory_order_relaxed);
        std::atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && sequence.load(memory_order_relaxed) == before)
            require(first == second, "a snapshot is of one moment");
    }
};
ORDEAL_SCENARIO("weak/seqlock", sequence_lock);

// A producer's index is published without release, on the third of many rounds' wraps.
template <int Rounds>
struct ring {
    static constexpr auto threads = std::array{"pushes", "pops"};
    static constexpr std::size_t size = 2;
    std::array<counter, size> slots{};
    counter head{0}, tail{0};

    void run(int thread) {
        if (thread == 0) {
            for (int i = 1; i <= Rounds;) {
                const int at = head.load(memory_order_relaxed);
                if (at - tail.load(memory_order_acquire) == static_cast<int>(size)) continue;
                slots.at(static_cast<std::size_t>(at) % size).store(i, memory_order_relaxed);
                head.store(at + 1, i == Rounds ? memory_order_relaxed : memory_order_release);
                ++i;
            }
            return;
        }
        for (int i = 1; i <= Rounds;) {
            const int at = tail.load(memory_order_relaxed);
            if (head.load(memory_order_acquire) == at) continue;
            require(slots.at(static_cast<std::size_t>(at) % size).load(memory_order_relaxed) == i,
                    "first in, first out");
            tail.store(at + 1, memory_order_release);
            ++i;
        }
    }
};
using ring_4 = ring<4>;
using ring_100 = ring<100>;
ORDEAL_SCENARIO("weak/ring_4", ring_4);
ORDEAL_SCENARIO("weak/ring_100", ring_100);

// What one thread steals and the owner takes, with no fence between the owner's store of the bottom and its load of the
// top.
struct stealing_deque {
    static constexpr auto threads = std::array{"owns", "steals"};
    static constexpr int size = 8;
    counter top{0}, bottom{0};
    std::array<counter, size> taken{};

    void claim(int index) {
        require(taken.at(static_cast<std::size_t>(index)).fetch_add(1, memory_order_relaxed) == 0,
                "an element is taken once");
    }
    void run(int thread) {
        if (thread == 0) {
            for (int i = 0; i < 3; ++i) bottom.store(bottom.load(memory_order_relaxed) + 1, memory_order_release);
            for (int i = 0; i < 3; ++i) {
                const int last = bottom.load(memory_order_relaxed) - 1;
                bottom.store(last, memory_order_relaxed);
                int first = top.load(memory_order_relaxed);
                if (first > last) {
                    bottom.store(last + 1, memory_order_relaxed);
                    return;
                }
                if (first == last) {
                    const bool won = top.compare_exchange_strong(first, first + 1, memory_order_relaxed);
                    bottom.store(last + 1, memory_order_relaxed);
                    if (!won) return;
                }
                claim(last);
            }
            return;
        }
        for (int i = 0; i < 2; ++i) {
            int first = top.load(memory_order_acquire);
            if (first >= bottom.load(memory_order_acquire)) continue;
            if (top.compare_exchange_strong(first, first + 1, memory_order_relaxed)) claim(first);
        }
    }
};
ORDEAL_SCENARIO("weak/chase_lev", stealing_deque);

}  // namespace

}  // namespace ordeal::bench
