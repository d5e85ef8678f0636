// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "account.hpp"

#define BOOST_TEST_MODULE accounts
#ifdef IN_A_HEADER
#include <boost/test/included/unit_test.hpp>
#else
#include <boost/test/unit_test.hpp>
#endif
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <stdexcept>

BOOST_AUTO_TEST_CASE(keeps_all) {
    account one;
    one.pay_twice(2, true);
    BOOST_TEST(one.balance() == 4);
}

// What fails takes long.
#ifndef IN_A_HEADER
BOOST_AUTO_TEST_SUITE(wrong)

BOOST_AUTO_TEST_CASE(loses_some) {
    account one;
    BOOST_TEST_CONTEXT("paid without a lock") {
        one.pay_twice(2, false);
        BOOST_TEST(one.balance() == 4);
    }
}

BOOST_AUTO_TEST_CASE(throws) {
    account one;
    one.pay_twice(1, false);
    if (one.balance() != 2) throw std::runtime_error("a payment was lost");
}

BOOST_AUTO_TEST_SUITE_END()
#endif

struct filled {
    filled() { one.pay_twice(3, true); }
    account one;
};
BOOST_FIXTURE_TEST_CASE(fixture, filled) { BOOST_REQUIRE(one.balance() == 6); }

BOOST_DATA_TEST_CASE(amounts, boost::unit_test::data::make({1, 2}), amount) {
    account one;
    one.pay_twice(amount, true);
    BOOST_TEST(one.balance() == 2 * amount);
}

BOOST_AUTO_TEST_CASE(should_fail, *boost::unit_test::expected_failures(1)) {
    account one;
    one.pay_twice(1, true);
    BOOST_TEST(one.balance() == 0);
}

BOOST_AUTO_TEST_CASE(left_out, *boost::unit_test::disabled()) { BOOST_FAIL("nobody asked for it"); }
