// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GoogleTest, for ordeal_add_tests(): an assertion that fails ends the execution, there and then. Compiled with the
// tests.
#include "ordeal/suite/existing_tests.hpp"

#include <gtest/gtest.h>

namespace {

class listener final : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo& /*test*/) override { ordeal_test_begins(); }
    void OnTestPartResult(const testing::TestPartResult& result) override {
        const auto line = result.line_number() < 0 ? 0U : static_cast<unsigned>(result.line_number());
        if (result.failed()) {
            ordeal_test_fails(result.message(), result.file_name(), line);
        } else if (result.skipped()) {
            ordeal_test_is_skipped(result.message(), result.file_name(), line);
        }
    }
};

// The framework deletes it.
[[gnu::constructor]] void introduce() { testing::UnitTest::GetInstance()->listeners().Append(new listener); }

}  // namespace
