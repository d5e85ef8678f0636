// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequence_lock.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstdint>

namespace examples {
namespace {

using ordeal::require;

struct read_whole {
    static constexpr auto about =
        "Is what a reader gets from one write, and are the writer's other data visible with it?";
    static constexpr auto threads = std::array{"writes", "reads"};
    sequence_lock<2> lock;
    int other = 0;
    std::uint64_t seen = 0;

    void run(int thread) {
        if (thread == 0) {
            other = 1;
            lock.write({1, 1});
            return;
        }
        const auto value = lock.read();
        require(value[0] == value[1], "both words are from one write");
        if (value[0] == 1) require(other == 1, "what came before the write is visible");
        seen = value[0];
    }
    [[nodiscard]] int outcome() const { return static_cast<int>(seen); }
};
ORDEAL_SCENARIO("sequence_lock/read_whole", read_whole);

struct two_writes {
    static constexpr auto about = "Two writes in a row, one look: whole, or nothing?";
    static constexpr auto threads = std::array{"writes", "looks"};
    sequence_lock<2> lock;
    int seen = -1;

    void run(int thread) {
        if (thread == 0) {
            lock.write({1, 1});
            lock.write({2, 2});
        } else if (const auto value = lock.try_read()) {
            require((*value)[0] == (*value)[1], "both words are from one write");
            seen = static_cast<int>((*value)[0]);
        }
    }
    [[nodiscard]] int outcome() const { return seen; }
};
ORDEAL_SCENARIO("sequence_lock/two_writes", two_writes);

struct never_back {
    static constexpr auto about = "Does a reader that looks twice never see an older value the second time?";
    static constexpr auto threads = std::array{"writes", "looks"};
    sequence_lock<1> lock;

    void run(int thread) {
        if (thread == 0) {
            lock.write({1});
            return;
        }
        const auto first = lock.try_read();
        const auto second = lock.try_read();
        if (first && second) require((*first)[0] <= (*second)[0], "values do not go back");
    }
};
ORDEAL_SCENARIO("sequence_lock/never_back", never_back);

}  // namespace
}  // namespace examples
