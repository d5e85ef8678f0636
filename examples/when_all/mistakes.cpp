// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mistake that is made with this design, with the violation that it must get: the counter has the children only, not
// the parent. The last child then resumes a coroutine that is not suspended yet.
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <coroutine>

namespace examples {
namespace {

class counts_children_only {
public:
    void end_one() {
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1 && parent_) parent_.resume();
    }
    [[nodiscard]] bool await_ready() const { return left_.load(std::memory_order_acquire) == 0; }
    void await_suspend(std::coroutine_handle<> parent) { parent_ = parent; }
    void await_resume() const {}

private:
    std::atomic<int> left_{1};
    std::coroutine_handle<> parent_;
};

struct parent_not_counted {
    static constexpr auto about = "The child ends while its parent is about to be suspended.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
    static constexpr auto threads = std::array{"awaits", "ends"};
    ordeal::coro::manual_reset_event<> event;
    counts_children_only running;

    void run(int thread) {
        if (thread == 0) {
            parent();
        } else {
            event.set();
        }
    }
    ordeal::detached child() {
        co_await event;
        running.end_one();
    }
    ordeal::detached parent() {
        child();
        co_await running;
    }
};
ORDEAL_SCENARIO("when_all_mistakes/parent_not_counted", parent_not_counted);

}  // namespace
}  // namespace examples
