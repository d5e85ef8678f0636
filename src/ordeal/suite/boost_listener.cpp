// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boost.Test, for ordeal_add_tests(): an assertion that fails ends the execution, there and then. Compiled with the
// tests.
#include "ordeal/suite/existing_tests.hpp"

// The source with the framework's main is one of the tests', or of its library.
#undef BOOST_TEST_MODULE
#undef BOOST_TEST_MAIN
#ifndef BOOST_TEST_NO_MAIN
#define BOOST_TEST_NO_MAIN
#endif
#include <boost/test/execution_monitor.hpp>
#include <boost/test/framework.hpp>
#include <boost/test/tree/observer.hpp>
#include <boost/test/tree/test_unit.hpp>
#include <boost/test/unit_test_log.hpp>
#include <boost/test/unit_test_log_formatter.hpp>

#include <cstddef>
#include <ostream>
#include <string>

namespace {

using namespace boost::unit_test;

std::string text_of(const_string text) { return std::string(text.begin(), text.size()); }

// What main returns says whether a test that is expected to fail did as it may.
bool may_fail() {
    const test_unit_id test = framework::current_test_case_id();
    return test != INV_TEST_UNIT_ID && framework::get(test, TUT_ANY).p_expected_failures.get() != 0;
}

// A log of the framework that reports nothing but failures.
class failure_log final : public unit_test_log_formatter {
    void log_start(std::ostream& /*to*/, counter_t /*tests*/) override {}
    void log_finish(std::ostream& /*to*/) override {}
    void log_build_info(std::ostream& /*to*/, bool /*wanted*/) override {}
    void test_unit_start(std::ostream& /*to*/, const test_unit& /*test*/) override {}
    void test_unit_finish(std::ostream& /*to*/, const test_unit& /*test*/, unsigned long /*elapsed*/) override {}

    void log_exception_start(std::ostream& /*to*/, const log_checkpoint_data& last,
                             const boost::execution_exception& exception) override {
        if (may_fail()) return;
        ordeal_test_fails(("an exception left the test: " + text_of(exception.what())).c_str(),
                          text_of(last.m_file_name).c_str(), static_cast<unsigned>(last.m_line_num));
    }
    void log_exception_finish(std::ostream& /*to*/) override {}

    void log_entry_start(std::ostream& /*to*/, const log_entry_data& entry, log_entry_types type) override {
        fails_ = type == BOOST_UTL_ET_ERROR || type == BOOST_UTL_ET_FATAL_ERROR;
        file_ = entry.m_file_name;
        line_ = static_cast<unsigned>(entry.m_line_num);
        words_.clear();
    }
    void log_entry_value(std::ostream& /*to*/, const_string value) override { words_ += text_of(value); }
    void log_entry_finish(std::ostream& /*to*/) override {}

    void entry_context_start(std::ostream& /*to*/, log_level /*level*/) override { words_ += ": "; }
    void log_entry_context(std::ostream& /*to*/, log_level /*level*/, const_string value) override {
        words_ += text_of(value);
    }
    // The framework asks for contexts after each entry, but finishes them only where there are some.
    void entry_context_finish(std::ostream& /*to*/, log_level /*level*/) override {}

public:
    void conclude() {
        if (fails_ && !may_fail()) ordeal_test_fails(words_.c_str(), file_.c_str(), line_);
        fails_ = false;
    }

private:
    bool fails_ = false;
    std::string file_;
    unsigned line_ = 0;
    std::string words_;
};

class listener final : public test_observer {
    void test_start(counter_t /*tests*/, test_unit_id /*root*/) override {
        log_ = new failure_log;  // the framework deletes it
        unit_test_log.add_formatter(log_);
    }
    void test_unit_start(const test_unit& test) override {
        if (test.p_type == TUT_CASE) ordeal_test_begins();
    }
    // After the entry with its contexts.
    void assertion_result(boost::unit_test::assertion_result result) override {
        if (result == AR_FAILED && log_ != nullptr) log_->conclude();
    }
    // Before the framework's log, so that it has the other one.
    int priority() override { return 1; }

    failure_log* log_ = nullptr;
};

listener of_tests;

[[gnu::constructor(65535)]] void introduce() { framework::register_observer(of_tests); }

}  // namespace
