// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scenarios with names that mean something to CMake, to a shell or to patterns of ordeal.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace {

struct holds {
    static constexpr auto threads = std::array{"only"};

    void run(int) { ordeal::require(value.exchange(1) == 0); }

    std::atomic<int> value{0};
};

struct fails : holds {
    void run(int) { ordeal::require(value.exchange(1) == 1, "as planned"); }
};

struct planned : fails {
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::failed_requirement);
};

ORDEAL_SCENARIO("plain_name", holds);
ORDEAL_SCENARIO("plain_name/longer", fails);
ORDEAL_SCENARIO("an exhibit", planned);
ORDEAL_SCENARIO("a;list", holds);
ORDEAL_SCENARIO("a*", holds);
ORDEAL_SCENARIO("a*/b?", fails);
ORDEAL_SCENARIO("--engine", holds);
ORDEAL_SCENARIO("=", holds);
ORDEAL_SCENARIO("]==] ]=] [[ [=[", holds);
ORDEAL_SCENARIO("]=", holds);
ORDEAL_SCENARIO("$ENV{HOME} ${NAME} \\ \" ' `#", holds);
ORDEAL_SCENARIO("\nlines\nand\ttabs", holds);
ORDEAL_SCENARIO("tr\u00e4ger", holds);

}  // namespace
