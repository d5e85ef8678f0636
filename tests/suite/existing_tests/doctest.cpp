// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "account.hpp"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <stdexcept>

TEST_CASE("keeps all, it says") {
    account one;
    one.pay_twice(2, true);
    REQUIRE(one.balance() == 4);
}

TEST_CASE("loses some") {
    account one;
    INFO("paid without a lock");
    one.pay_twice(2, false);
    CHECK(one.balance() == 4);
}

TEST_CASE("race") { CHECK(letter_handed_over() == 42); }

TEST_SUITE("of sections") {
    TEST_CASE("subcases") {
        account one;
        SUBCASE("right") {
            one.pay_twice(1, true);
            REQUIRE(one.balance() == 2);
        }
        SUBCASE("wrong") {
            one.pay_twice(1, false);
            REQUIRE(one.balance() == 2);
        }
    }
}

TEST_CASE("should fail" * doctest::should_fail()) {
    account one;
    one.pay_twice(1, true);
    CHECK(one.balance() == 0);
}

TEST_CASE("throws") {
    account one;
    one.pay_twice(1, false);
    if (one.balance() != 2) throw std::runtime_error("a payment was lost");
}

TEST_CASE_TEMPLATE("of types", T, int, long) {
    account one;
    one.pay_twice(static_cast<int>(T(2)), true);
    CHECK(one.balance() == 4);
}

TEST_CASE("left out" * doctest::skip()) { FAIL("nobody asked for it"); }
