// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catch2, version 2 and 3, for ordeal_add_tests(): an assertion that fails ends the execution, there and then. Compiled
// with the tests.
#include "ordeal/suite/existing_tests.hpp"

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#ifdef ORDEAL_TEST_HEADER
#include ORDEAL_TEST_HEADER
#elif __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <string>

namespace {

#if CATCH_VERSION_MAJOR >= 3
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

std::string text_of(const Catch::StringRef& text) { return std::string(text.data(), text.size()); }
const std::string& text_of(const std::string& text) { return text; }

// "CHECK( a == b ): 1 == 2: what INFO and FAIL say".
template <class Statistics>
std::string words_for(const Statistics& assertion) {
    const Catch::AssertionResult& result = assertion.assertionResult;
    std::string words = result.hasExpression() ? std::string(result.getExpressionInMacro()) : "the test failed";
    const auto add = [&](const std::string& more) {
        if (!more.empty()) words += ": " + more;
    };
    if (result.hasExpandedExpression()) add(result.getExpandedExpression());
    add(text_of(result.getMessage()));
    for (const Catch::MessageInfo& each : assertion.infoMessages) {
        if (each.message != text_of(result.getMessage())) add(each.message);
    }
    return words;
}

class listener final : public listener_base {
public:
    using listener_base::listener_base;

    void testCaseStarting(const Catch::TestCaseInfo& test) override {
        listener_base::testCaseStarting(test);
        ordeal_test_begins();
        may_fail_ = test.okToFail();
    }
#if CATCH_VERSION_MAJOR >= 3
    void assertionEnded(const Catch::AssertionStats& assertion) override { look_at(assertion); }
#else
    bool assertionEnded(const Catch::AssertionStats& assertion) override {
        look_at(assertion);
        return false;
    }
#endif

private:
    void look_at(const Catch::AssertionStats& assertion) const {
        const Catch::AssertionResult& result = assertion.assertionResult;
        const Catch::SourceLineInfo at = result.getSourceInfo();
#if CATCH_VERSION_MAJOR > 3 || (CATCH_VERSION_MAJOR == 3 && CATCH_VERSION_MINOR >= 3)
        if (result.getResultType() == Catch::ResultWas::ExplicitSkip) {
            ordeal_test_is_skipped(text_of(result.getMessage()).c_str(), at.file, static_cast<unsigned>(at.line));
            return;
        }
#endif
        // What main returns says whether a test that may fail, or should, did as it may.
        if (result.isOk() || may_fail_) return;
        ordeal_test_fails(words_for(assertion).c_str(), at.file, static_cast<unsigned>(at.line));
    }

    bool may_fail_ = false;
};

}  // namespace

CATCH_REGISTER_LISTENER(listener)
