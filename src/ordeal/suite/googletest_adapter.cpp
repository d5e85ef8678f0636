// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GoogleTest, for ordeal::check(). Compiled with the tests, in projects of users.
#include "ordeal/suite/test_framework.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cassert>
#include <string>

// The framework's, or the user's: in the library with the tests.
int ordeal_main_of_tests(int argc, char** argv) asm("main");

namespace {

const char* file_of(const testing::TestPartResult& result) {
    return result.file_name() == nullptr ? "unknown" : result.file_name();
}

// Replaces all reporters while a body is on trial.
class ends_execution final : public testing::ScopedFakeTestPartResultReporter {
public:
    ends_execution() : ScopedFakeTestPartResultReporter(INTERCEPT_ALL_THREADS, &none_) {}

    void ReportTestPartResult(const testing::TestPartResult& result) override {
        if (result.type() == testing::TestPartResult::kSuccess) return;
        if (result.skipped()) {
            __assert_fail("GTEST_SKIP() is not for a body of ordeal::check()", file_of(result),
                          static_cast<unsigned>(result.line_number()), "");
        }
        __assert_fail(result.message(), file_of(result), static_cast<unsigned>(result.line_number()), "");
    }

private:
    testing::TestPartResultArray none_;
};

ends_execution* reporter = nullptr;

std::string test() {
    const testing::TestInfo* const info = testing::UnitTest::GetInstance()->current_test_info();
    if (info == nullptr) return "no test";
    return std::string(info->test_suite_name()) + "." + info->name();
}

constexpr ordeal::detail::test_framework googletest{
    .main = &ordeal_main_of_tests,
    .test = &test,
    .filter = [] { return "--gtest_filter=" + test(); },
    .begin_body = [] { reporter = new ends_execution; },
    .end_body =
        [] {
            delete reporter;
            reporter = nullptr;
        },
    .pass = [](const char* /*text*/) { SUCCEED(); },
    .fail = [](const char* text, const char* file, int line) { ADD_FAILURE_AT(file, line) << text; },
};

[[gnu::constructor]] void introduce() { ordeal::detail::register_test_framework(googletest); }

}  // namespace
