// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lazy.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace examples {
namespace {

using ordeal::require;

struct settings {
    int value = 42;
};

struct two_ask {
    static constexpr auto about = "Two ask at once: one object, which both see whole?";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
    lazy<settings> shared;
    std::array<settings*, 2> seen{};

    void run(int thread) {
        settings& mine = shared.get();
        require(mine.value == 42, "the object is whole");
        seen.at(static_cast<std::size_t>(thread)) = &mine;
    }
    void finish() { require(seen[0] == seen[1], "there is one object"); }
};
ORDEAL_SCENARIO("lazy/two_ask", two_ask);

struct asks_again {
    static constexpr auto about = "One asks twice: the second time it takes no lock.";
    static constexpr auto threads = std::array{"once", "twice"};
    lazy<settings> shared;

    void run(int thread) {
        const int seen = shared.get().value;
        require(seen == 42, "the object is whole");
        if (thread == 1) require(shared.get().value == 42, "the object is whole");
    }
};
ORDEAL_SCENARIO("lazy/asks_again", asks_again);

}  // namespace
}  // namespace examples
