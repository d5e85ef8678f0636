// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bugs late in long executions, as unit tests are: hundreds of operations that cannot fail, and the few that can.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <mutex>

namespace ordeal::bench {

namespace {

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using counter = std::atomic<int>;

/// What goes on beside the bug.
struct noise {
    std::mutex lock;
    int guarded = 0;
    counter shared{0};

    void make(int rounds) {
        for (int i = 0; i < rounds; ++i) {
            shared.fetch_add(1, memory_order_relaxed);
            const std::scoped_lock guard(lock);
            ++guarded;
        }
    }
};

struct lost_update {
    static constexpr auto threads = std::array{"first", "second"};
    noise around;
    counter value{0};

    void run(int) {
        around.make(100);
        value.store(value.load(memory_order_relaxed) + 1, memory_order_relaxed);
        around.make(100);
    }
    void finish() { require(value == 2, "nothing is lost"); }
};
ORDEAL_SCENARIO("long/lost_update", lost_update);

struct late_message {
    static constexpr auto threads = std::array{"sends", "receives"};
    noise around;
    counter data{0}, flag{0};

    void run(int thread) {
        around.make(100);
        if (thread == 0) {
            data.store(1, memory_order_relaxed);
            flag.store(1, memory_order_relaxed);
        } else if (flag.load(memory_order_acquire) == 1) {
            require(data.load(memory_order_relaxed) == 1, "the message has come");
        }
        around.make(10);
    }
};
ORDEAL_SCENARIO("long/message_passing", late_message);

struct late_locks {
    static constexpr auto threads = std::array{"first", "second", "third"};
    noise around;
    std::mutex a, b;

    void run(int thread) {
        around.make(100);
        if (thread < 2) {
            const std::scoped_lock outer(thread == 0 ? a : b);
            const std::scoped_lock inner(thread == 0 ? b : a);
            around.make(1);
        }
        around.make(50);
    }
};
ORDEAL_SCENARIO("long/opposite_locks", late_locks);

// Two checks of a state machine that each take a lock, and a window between them.
struct late_window {
    static constexpr auto threads = std::array{"uses", "closes", "uses"};
    noise around;
    std::mutex lock;
    bool open = true;

    [[nodiscard]] bool is_open() {
        const std::scoped_lock guard(lock);
        return open;
    }
    void run(int thread) {
        around.make(60);
        if (thread == 1) {
            around.make(30);
            const std::scoped_lock guard(lock);
            open = false;
            return;
        }
        for (int i = 0; i < 3; ++i) {
            if (!is_open()) return;
            const std::scoped_lock guard(lock);
            require(open, "it is open when it is used");
        }
    }
};
ORDEAL_SCENARIO("long/check_then_act", late_window);

}  // namespace

}  // namespace ordeal::bench
