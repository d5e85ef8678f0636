// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "account.hpp"

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

TEST_CASE("keeps all, [it] says", "[account]") {
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

TEST_CASE("sections") {
    account one;
    SECTION("right") {
        one.pay_twice(1, true);
        REQUIRE(one.balance() == 2);
    }
    SECTION("wrong") {
        one.pay_twice(1, false);
        REQUIRE(one.balance() == 2);
    }
}

TEST_CASE("generated") {
    const int amount = GENERATE(1, 2);
    account one;
    one.pay_twice(amount, true);
    CHECK(one.balance() == 2 * amount);
}

TEST_CASE("should fail", "[!shouldfail]") {
    account one;
    one.pay_twice(1, true);
    CHECK(one.balance() == 0);
}

class fixture {
protected:
    fixture() { one.pay_twice(3, true); }
    account one;
};
TEST_CASE_METHOD(fixture, "~fixture*") { REQUIRE(one.balance() == 6); }

TEST_CASE("hidden", "[.]") { FAIL("nobody asked for it"); }
