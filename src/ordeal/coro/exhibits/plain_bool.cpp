// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/exhibits/locked_event.hpp"
#include "ordeal/scenario/scenario.hpp"

namespace ordeal::exhibits {

namespace {

// Written under the lock, read without it.
template <atomic_policy P>
class plain_flag {
public:
    void raise() { value_.write() = true; }
    [[nodiscard]] bool raised() const { return value_.read(); }
    [[nodiscard]] bool raised_under_lock() const { return value_.read(); }

private:
    typename P::template cell<bool> value_{false};
};

template <atomic_policy P>
struct plain_bool_set_against_await {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "plain_bool";
    static constexpr auto about = "A plain flag written under the lock is read without it by the ready check.";
    static constexpr auto threads = std::array{"setter", "awaiter"};
    static constexpr auto expected = violated(violation_kind::data_race);

    locked_event<P, plain_flag<P>> event;

    void run(int thread) {
        if (thread == 0) {
            event.set();
        } else {
            consume();
        }
    }
    detached consume() { co_await event; }
};

ORDEAL_SCENARIO("exhibit/plain_bool/set_against_await", plain_bool_set_against_await);

}  // namespace

}  // namespace ordeal::exhibits
