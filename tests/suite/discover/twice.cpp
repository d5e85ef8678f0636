// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two scenarios of one name, which the program refuses.
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace {

struct nothing {
    static constexpr auto threads = std::array{"only"};

    void run(int) {}
};

ORDEAL_SCENARIO("twin", nothing);
ORDEAL_SCENARIO("twin", nothing);

}  // namespace
