// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutual exclusion by loads and stores alone. Each thread announces itself and then looks at the other: a store that must be
// seen before a load of another atomic, which is what a seq_cst fence is for.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace ordeal::exhibits {

namespace {

/// A lock of two threads, 0 and 1.
///
/// Source: T. J. Dekker, in E. W. Dijkstra, "Cooperating sequential processes" (1965). With fences as in A. Williams,
/// "Implementing Dekker's algorithm with fences" (2010).
template <atomic_policy P>
class dekker_lock {
public:
    void lock(int self) {
        const int other = 1 - self;
        announce(self);
        // order: relaxed: the fence in announce() stands between this load and the store before it; what the other did under
        //        the lock comes by the fence below.
        while (wants(other).load(std::memory_order_relaxed)) {
            // order: relaxed: whose turn it is hands nothing over.
            if (turn_.load(std::memory_order_relaxed) == self) {
                P::yield();
                continue;
            }
            step_back(self);
            announce(self);
        }
        // order: acquire <- unlock: what the other did under the lock.
        P::acquire_fence(wants(other));
    }

    void unlock(int self) {
        // order: relaxed: whose turn it is hands nothing over.
        turn_.store(1 - self, std::memory_order_relaxed);
        // order: release -> lock: what was done under the lock.
        wants(self).store(false, std::memory_order_release);
    }

private:
    using flag = typename P::template atomic<bool>;

    void announce(int self) {
        // order: relaxed: it hands nothing over. The fence keeps it before the load in lock().
        wants(self).store(true, std::memory_order_relaxed);
        // order: seq_cst <-> announce: of two threads that announce themselves, one at least sees the other in lock().
        P::fence(std::memory_order_seq_cst);
    }

    void step_back(int self) {
        // order: relaxed: nothing was done under the lock since the fence in announce().
        wants(self).store(false, std::memory_order_relaxed);
        // order: relaxed: whose turn it is hands nothing over.
        while (turn_.load(std::memory_order_relaxed) != self) P::yield();
    }

    flag& wants(int thread) { return wants_[static_cast<std::size_t>(thread)]; }

    std::array<flag, 2> wants_{false, false};
    typename P::template atomic<int> turn_{0};
};

template <atomic_policy P>
struct dekker_lock_excludes {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "dekker_lock";
    static constexpr auto about = "Two threads count under the lock, and neither count is lost.";
    static constexpr auto threads = std::array{"left", "right"};
    static constexpr auto expected = held;

    dekker_lock<P> lock;
    typename P::template cell<int> count{0};

    void run(int thread) {
        lock.lock(thread);
        const int before = count.read();
        count.write() = before + 1;
        lock.unlock(thread);
    }
    void finish() { require(count.read() == 2); }
};

ORDEAL_SCENARIO("exhibit/dekker_lock/excludes", dekker_lock_excludes);

}  // namespace

}  // namespace ordeal::exhibits
