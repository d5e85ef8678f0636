// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole framework in each execution.
#include "on_trial.hpp"

#include <gtest/gtest.h>

#include <cassert>

void trial();

TEST(Counter, Right) { EXPECT_EQ(incremented_by_two(true), 2); }

void trial() {
    int argc = 1;
    char name[] = "trial";
    char* argv[] = {name, nullptr};
    testing::InitGoogleTest(&argc, argv);
    const int failed = RUN_ALL_TESTS();
    assert(failed == 0);
}
