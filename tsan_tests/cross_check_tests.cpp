// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cross_check.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace ordeal;
using namespace ordeal::tests;

namespace {

std::string audit_of(const std::string& reason) {
    return R"({"subjects":[{"name":"task","sites":[{"file":"src/ordeal/coro/task.hpp","line":1,"column":1,)"
           R"("role":"exchange","operation":"exchange","declared":"acq_rel","reason":")" +
           reason +
           R"(","weaker":[{"order":"acquire","verdict":"required","scenario":"task/x","kind":"data race"},)"
           R"({"order":"relaxed","verdict":"undecided","scenario":null,"kind":null}]}]}]})";
}

}  // namespace

TEST_CASE("of an audit the required orders are read, and no others") {
    const auto orders = read_audit(audit_of(""));  // line 1 has no comment
    REQUIRE(orders.size() == 1);
    CHECK(to_string(orders[0].change) == "src/ordeal/coro/task.hpp@1.1.exchange=acquire");
    CHECK(orders[0].declared == order::acq_rel);
    CHECK(orders[0].scenario == "task/x");
    CHECK(orders[0].kind == violation_kind::data_race);
}

TEST_CASE("an audit of other sources, and what is no audit, are refused") {
    CHECK_THROWS_AS(read_audit(audit_of("a comment that is not there")), std::runtime_error);
    CHECK_THROWS_AS(read_audit("{}"), std::runtime_error);
    CHECK_THROWS_AS(read_audit("no JSON"), std::runtime_error);
}

TEST_CASE("only what is no race, or a matter of a fence, is called not visible") {
    required_order what;
    for (const auto kind : {violation_kind::data_race, violation_kind::unsynchronised_destruction}) {
        what.kind = kind;
        CHECK(why_not_visible(what).empty());
    }
    for (const auto kind : {violation_kind::failed_requirement, violation_kind::deadlock}) {
        what.kind = kind;
        CHECK_FALSE(why_not_visible(what).empty());
    }
    what.kind = violation_kind::data_race;
    what.operation = "acquire_fence";  // an acquire load, under ThreadSanitizer
    CHECK(why_not_visible(what).empty());
    what.operation = "fence";
    CHECK_FALSE(why_not_visible(what).empty());
}

TEST_CASE("an override of a site that no code has changes nothing, and is not confirmed") {
    required_order what;
    what.change = {{"src/ordeal/coro/task.hpp", 1, 1, role::exchange}, order::relaxed};
    what.scenario = "task/abandon_against_complete";
    what.kind = violation_kind::data_race;
    const cross_checked row = cross_check(what, 1, 1);
    INFO(row.why);
    CHECK(row.result == agreement::not_seen);
    CHECK(row.samples > 0);
}
