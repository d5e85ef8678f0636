// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/detached.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

// What both front ends are measured with.
namespace ordeal::bench {

template <int Waiters, template <class> class Event>
struct set_against_waiters {
    template <class P>
    struct test {
        static constexpr auto threads = [] {
            std::array<const char*, Waiters + 1> names{"setter"};
            std::fill(names.begin() + 1, names.end(), "waiter");
            return names;
        }();
        Event<P> event;
        std::array<int, Waiters> passed{};

        void run(int thread) {
            if (thread == 0) {
                event.set();
            } else {
                wait(static_cast<std::size_t>(thread - 1));
            }
        }
        detached wait(std::size_t which) {
            co_await event;
            ++passed[which];
        }
        void finish() {
            for (const int each : passed) require(each == 1, "each waiter goes on once");
        }
    };
};

/// Two threads that hand a value over, and each go through an array of their own: few events, and many non-atomic accesses.
template <int Accesses>
struct plain_accesses {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"producer", "consumer"};
        typename P::template atomic<bool> ready{false};
        typename P::template cell<int> cells[2][8];

        void run(int thread) {
            auto& own = cells[thread];
            for (auto& each : own) each.write() = 0;
            for (std::size_t i = 0; i < Accesses / 2; ++i) own[(i + 1) % 8].write() = own[i % 8].read() + 1;
            if (thread == 0) {
                ready.store(true, std::memory_order_release);
            } else if (ready.load(std::memory_order_acquire)) {
                require(cells[0][0].read() >= 0);
            }
        }
    };
};

}  // namespace ordeal::bench
