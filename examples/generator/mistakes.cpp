// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made when a coroutine goes from thread to thread, each with the violation that it must get.
#include "generator.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <optional>

namespace examples {
namespace {

generator<int> count() {
    for (int i = 1;; ++i) co_yield i;
}

// A ticket says that the other thread has pulled; it does not hand over the frame.
struct relaxed_hand_over {
    static constexpr auto about =
        "A flag without orders says who may pull: the frame is resumed before it is seen suspended.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
    static constexpr auto threads = std::array{"pulls first", "pulls second"};
    generator<int> values = count();
    std::atomic<bool> pulled{false};

    void run(int thread) {
        if (thread == 0) {
            (void)values.next();
            pulled.store(true, std::memory_order_relaxed);
        } else if (pulled.load(std::memory_order_relaxed)) {
            ordeal::require(values.next() == 2);
        }
    }
};
ORDEAL_SCENARIO("generator_mistakes/relaxed_hand_over", relaxed_hand_over);

// Who got the last value that it wants ends the generator, as for one thread.
struct ended_by_one {
    static constexpr auto about = "One thread destroys the generator while another one pulls.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::unsynchronised_destruction);
    static constexpr auto threads = std::array{"pulls", "pulls and ends"};
    std::unique_ptr<shared_generator<int>> values = std::make_unique<shared_generator<int>>(count());
    shared_generator<int>* const known = values.get();

    void run(int thread) {
        const std::optional<int> value = known->try_next();
        if (thread == 1 && value) values.reset();
    }
};
ORDEAL_SCENARIO("generator_mistakes/ended_by_one", ended_by_one);

}  // namespace
}  // namespace examples
