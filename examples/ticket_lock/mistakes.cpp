// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this lock, each with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

// try_lock() looks whether nobody waits, and then takes a ticket. Between the two another thread takes that one.
class looks_then_takes {
public:
    void lock() {
        const std::uint32_t ticket = next_.fetch_add(1, std::memory_order_relaxed);
        while (served_.load(std::memory_order_acquire) != ticket) {
        }
    }
    [[nodiscard]] bool try_lock() {
        if (served_.load(std::memory_order_acquire) != next_.load(std::memory_order_relaxed)) return false;
        next_.fetch_add(1, std::memory_order_relaxed);
        return true;
    }
    void unlock() { served_.store(served_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

private:
    std::atomic<std::uint32_t> next_{0};
    std::atomic<std::uint32_t> served_{0};
};

struct try_lock_in_two_steps {
    static constexpr auto about =
        "try_lock() with a look and a fetch_add in place of one compare-exchange: both are in.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"waits", "tries"};
    looks_then_takes lock;
    int count = 0;

    void run(int thread) {
        if (thread == 0) {
            lock.lock();
        } else if (!lock.try_lock()) {
            return;
        }
        ++count;
        lock.unlock();
    }
};
ORDEAL_SCENARIO("ticket_lock_mistakes/try_lock_in_two_steps", try_lock_in_two_steps);

// The ticket, which orders nothing, is acquired; the number that is served, which a holder hands on, is not.
class acquires_the_ticket {
public:
    void lock() {
        const std::uint32_t ticket = next_.fetch_add(1, std::memory_order_acquire);
        while (served_.load(std::memory_order_relaxed) != ticket) {
        }
    }
    void unlock() { served_.store(served_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

private:
    std::atomic<std::uint32_t> next_{0};
    std::atomic<std::uint32_t> served_{0};
};

struct acquire_at_the_ticket {
    static constexpr auto about = "The acquire is on the ticket, not on the number that is served: the holders race.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"first", "second"};
    acquires_the_ticket lock;
    int count = 0;

    void run(int /*thread*/) {
        lock.lock();
        ++count;
        lock.unlock();
    }
};
ORDEAL_SCENARIO("ticket_lock_mistakes/acquire_at_the_ticket", acquire_at_the_ticket);

}  // namespace
}  // namespace examples
