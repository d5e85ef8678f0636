// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// doctest, for ordeal_add_tests(): an assertion that fails ends the execution, there and then. Compiled with the tests.
#include "ordeal/suite/existing_tests.hpp"

#ifdef ORDEAL_TEST_HEADER
#include ORDEAL_TEST_HEADER
#elif __has_include(<doctest/doctest.h>)
#include <doctest/doctest.h>
#else
#include <doctest.h>
#endif

#include <sstream>
#include <string>

namespace {

class listener final : public doctest::IReporter {
public:
    explicit listener(const doctest::ContextOptions& /*options*/) {}

    void test_case_start(const doctest::TestCaseData& test) override {
        test_ = &test;
        ordeal_test_begins();
    }
    void test_case_exception(const doctest::TestCaseException& exception) override {
        if (!may_fail())
            ordeal_test_fails((std::string("an exception left the test: ") + exception.error_string.c_str()).c_str(),
                              test_->m_file.c_str(), test_->m_line);
    }
    void log_assert(const doctest::AssertData& assertion) override {
        if (!assertion.m_failed || (assertion.m_at & doctest::assertType::is_warn) != 0 || may_fail()) return;
        std::string words = std::string(doctest::assertString(assertion.m_at)) + "( " + assertion.m_expr + " )";
        if (assertion.m_threw) {
            words += std::string(": it threw ") + assertion.m_exception.c_str();
        } else if (assertion.m_decomp.size() != 0) {
            words += std::string(": ") + assertion.m_decomp.c_str();
        }
        fail(words, assertion.m_file, assertion.m_line);
    }
    void log_message(const doctest::MessageData& message) override {
        if ((message.m_severity & doctest::assertType::is_warn) == 0 && !may_fail())
            fail(std::string("the test failed: ") + message.m_string.c_str(), message.m_file, message.m_line);
    }

    void report_query(const doctest::QueryData& /*query*/) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats& /*statistics*/) override {}
    void test_case_reenter(const doctest::TestCaseData& /*test*/) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& /*statistics*/) override {}
    void subcase_start(const doctest::SubcaseSignature& /*subcase*/) override {}
    void subcase_end() override {}
    void test_case_skipped(const doctest::TestCaseData& /*test*/) override {}

private:
    // What main returns says whether such a test did as it may.
    [[nodiscard]] bool may_fail() const {
        return test_ == nullptr || test_->m_may_fail || test_->m_should_fail || test_->m_expected_failures != 0;
    }
    static void fail(const std::string& words, const char* file, int line) {
        const int contexts = get_num_active_contexts();
        std::string said;
        for (int i = 0; i < contexts; ++i) said += add_context(i);
        ordeal_test_fails((words + said).c_str(), file, static_cast<unsigned>(line));
    }
    static std::string add_context(int number) {
        std::ostringstream text;
        get_active_contexts()[number]->stringify(&text);
        return ": " + text.str();
    }

    const doctest::TestCaseData* test_ = nullptr;
};

}  // namespace

DOCTEST_REGISTER_LISTENER("ordeal", 1, listener);
