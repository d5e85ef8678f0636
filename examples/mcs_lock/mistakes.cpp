// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this lock, each with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

struct waiter {
    std::atomic<waiter*> next{nullptr};
    std::atomic<bool> waits{true};
};

// Everything is seq_cst here, so that what goes wrong is not an order.
struct list {
    std::atomic<waiter*> last{nullptr};

    void lock(waiter& me) {
        waiter* const before = last.exchange(&me);
        if (before == nullptr) return;
        before->next.store(&me);
        while (me.waits.load()) {
        }
    }
};

// "Nobody is behind me, so the list is empty." Somebody may have come who has not linked itself in yet.
struct unlock_by_a_store {
    static constexpr auto about =
        "unlock() empties the list by a store: who is about to link itself in waits for ever.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::livelock);
    static constexpr auto threads = std::array{"first", "second"};
    list queue;
    std::array<waiter, 2> waiters;
    int count = 0;

    void run(int thread) {
        waiter& me = waiters.at(static_cast<std::size_t>(thread));
        queue.lock(me);
        ++count;
        waiter* const behind = me.next.load();
        if (behind == nullptr) {
            queue.last.store(nullptr);
        } else {
            behind->waits.store(false);
        }
    }
};
ORDEAL_SCENARIO("mcs_lock_mistakes/unlock_by_a_store", unlock_by_a_store);

// After the compare-exchange has failed, next is still to be written. Who does not wait for that leaves while the other one
// holds its address.
struct leaves_too_early {
    static constexpr auto about = "unlock() hands the lock to the newest one, and leaves before it is linked in.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
    static constexpr auto threads = std::array{"first", "second"};
    list queue;

    void run(int /*thread*/) {
        auto* const me = new waiter;
        queue.lock(*me);
        waiter* newest = me;
        if (!queue.last.compare_exchange_strong(newest, nullptr)) newest->waits.store(false);
        delete me;
    }
};
ORDEAL_SCENARIO("mcs_lock_mistakes/leaves_too_early", leaves_too_early);

}  // namespace
}  // namespace examples
