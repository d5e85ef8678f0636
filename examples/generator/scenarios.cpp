// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generator.hpp"

#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace examples {
namespace {

template <ordeal::atomic_policy P>
generator<int, P> count_to(int last) {
    for (int i = 1; i <= last; ++i) co_yield i;
}

template <ordeal::atomic_policy P>
struct two_pull {
    static constexpr auto about = "Two threads pull: each value goes to one of them, and none is left out.";
    static constexpr auto threads = std::array{"first", "second"};
    shared_generator<int, P> values{count_to<P>(3)};
    std::array<std::optional<int>, 2> pulled{};

    void run(int thread) { pulled.at(static_cast<std::size_t>(thread)) = values.try_next(); }
    void finish() {
        const int count = (pulled[0] ? 1 : 0) + (pulled[1] ? 1 : 0);
        ordeal::require(count >= 1, "one of the two is first");
        ordeal::require(pulled[0] != pulled[1], "a value goes to one of them");
        ordeal::require(values.try_next() == count + 1, "no value is left out");
    }
};
ORDEAL_SCENARIO("generator/two_pull", two_pull);

template <ordeal::atomic_policy P>
struct to_the_end {
    static constexpr auto about =
        "A thread pulls to the end while another one pulls: nothing comes twice, nothing comes after.";
    static constexpr auto threads = std::array{"pulls all", "pulls once"};
    shared_generator<int, P> values{count_to<P>(1)};
    int pulled = 0;
    bool other = false;

    void run(int thread) {
        if (thread == 0) {
            while (values.try_next()) ++pulled;
        } else {
            other = values.try_next().has_value();
        }
    }
    void finish() {
        ordeal::require(pulled + (other ? 1 : 0) <= 1, "a value comes once");
        const bool left = values.try_next().has_value();
        ordeal::require(pulled + (other ? 1 : 0) + (left ? 1 : 0) == 1, "no value is left out");
        ordeal::require(!values.try_next(), "the end stays");
    }
};
ORDEAL_SCENARIO("generator/to_the_end", to_the_end);

}  // namespace
}  // namespace examples
