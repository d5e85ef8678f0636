// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does not compile: the model would see nothing of it.
#include "ordeal/scenario/scenario.hpp"

struct without_a_policy {
    static constexpr auto threads = std::array{"only"};
    void run(int /*thread*/) {}
};
ORDEAL_SCENARIO("no/policy", without_a_policy);
