// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this design, each with the violation that it must get.
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <memory>

namespace examples {
namespace {

template <std::memory_order CountDown>
class latch_of {
public:
    explicit latch_of(int count) : left_(count) {}

    void count_down() {
        if (left_.fetch_sub(1, CountDown) == 1) down_.set();
    }
    // Zero is seen before the event is set.
    [[nodiscard]] bool is_down() const { return left_.load(std::memory_order_acquire) == 0; }
    auto operator co_await() { return down_.operator co_await(); }

private:
    std::atomic<int> left_;
    ordeal::coro::manual_reset_event<> down_;
};

struct only_release {
    static constexpr auto about = "count_down() does not acquire: the last one hands on no more than it did itself.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
    static constexpr auto threads = std::array{"counts and waits", "counts"};
    latch_of<std::memory_order_release> done{2};
    int part = 0;
    int seen = 0;

    void run(int thread) {
        if (thread == 1) {
            part = 42;
            done.count_down();
        } else {
            done.count_down();
            wait();
        }
    }
    ordeal::detached wait() {
        co_await done;
        seen = part;
    }
};
ORDEAL_SCENARIO("latch_mistakes/only_release", only_release);

struct asks_the_counter {
    static constexpr auto about = "is_down() looks at the counter: the latch is destroyed before its event is set.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::unsynchronised_destruction);
    static constexpr auto threads = std::array{"destroys", "counts"};
    std::unique_ptr<latch_of<std::memory_order_acq_rel>> done =
        std::make_unique<latch_of<std::memory_order_acq_rel>>(1);
    latch_of<std::memory_order_acq_rel>* const known = done.get();

    void run(int thread) {
        if (thread == 1) {
            known->count_down();
        } else if (done->is_down()) {
            done.reset();
        }
    }
};
ORDEAL_SCENARIO("latch_mistakes/asks_the_counter", asks_the_counter);

}  // namespace
}  // namespace examples
