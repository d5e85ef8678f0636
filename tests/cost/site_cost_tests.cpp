// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/instruction_cost.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace ordeal {

using namespace detail;

namespace {

site site_of(role what, const std::string& operation, order declared = order::seq_cst) {
    return {.key = {"src/a.hpp", 1, 2, what},
            .atomic = true,
            .function = "f",
            .operation = operation,
            .declared = declared};
}

int sum(atomic_operation what, order using_order, order failure = order::relaxed) {
    int result = 0;
    for (const target each : targets()) {
        const auto found = instructions_of(each, what, usual_width, using_order, failure);
        REQUIRE(found);
        result += found->cost;
    }
    return result;
}

}  // namespace

TEST_CASE("a site is an operation of the tables, by what it does") {
    CHECK(operation_at(site_of(role::load, "load")) == atomic_operation::load);
    CHECK(operation_at(site_of(role::load, "wait")) == atomic_operation::load);
    CHECK(operation_at(site_of(role::load, "test")) == atomic_operation::load);
    CHECK(operation_at(site_of(role::store, "clear")) == atomic_operation::store);
    CHECK(operation_at(site_of(role::exchange, "test_and_set")) == atomic_operation::exchange);
    CHECK(operation_at(site_of(role::fence, "acquire_fence")) == atomic_operation::fence);
    CHECK(operation_at(site_of(role::fence, "atomic_thread_fence")) == atomic_operation::fence);
    CHECK(operation_at(site_of(role::fetch, "fetch_xor")) == atomic_operation::fetch_xor);
    CHECK(operation_at(site_of(role::fetch, "fetch_sub in std::shared_ptr")) == atomic_operation::fetch_sub);
    CHECK_FALSE(operation_at(site_of(role::fetch, "fetch_nand")));
    CHECK_FALSE(operation_at(site_of(role::fetch, "load")));
    for (const role each : {role::success, role::failure}) {
        CHECK(operation_at(site_of(each, "compare_exchange_weak")) == atomic_operation::compare_exchange_weak);
        CHECK(operation_at(site_of(each, "compare_exchange_strong")) == atomic_operation::compare_exchange_strong);
        CHECK(operation_at(site_of(each, "compare_exchange")) == atomic_operation::compare_exchange_strong);
    }
    site plain = site_of(role::load, "read");
    plain.atomic = false;
    CHECK_FALSE(operation_at(plain));
}

TEST_CASE("a site has the instructions of the order asked for, not of the declared one") {
    const site store = site_of(role::store, "store", order::seq_cst);
    for (const target each : targets()) {
        CHECK(instructions_at(each, store, order::release) ==
              instructions_of(each, atomic_operation::store, 8, order::release));
        CHECK(instructions_at(each, store, order::release, 1) ==
              instructions_of(each, atomic_operation::store, 1, order::release));
        CHECK(instructions_at(each, store, order::release) != instructions_at(each, store, order::release, 1));
        CHECK_FALSE(instructions_at(each, store, order::acquire));
    }
}

TEST_CASE("the cost of a site is the sum over the targets") {
    if (targets().empty()) return;
    const site load = site_of(role::load, "load");
    CHECK(operation_cost(load, order::relaxed) == sum(atomic_operation::load, order::relaxed));
    CHECK(operation_cost(load, order::seq_cst) == sum(atomic_operation::load, order::seq_cst));
    CHECK(*operation_cost(load, order::relaxed) < *operation_cost(load, order::acquire));
    CHECK_FALSE(operation_cost(load, order::release));
    CHECK_FALSE(operation_cost(site_of(role::fetch, "fetch_nand"), order::relaxed));
}

TEST_CASE("the two sites of a compare-exchange have their cost together") {
    if (targets().empty()) return;
    const site success = site_of(role::success, "compare_exchange_strong");
    const site failure = site_of(role::failure, "compare_exchange_strong");
    CHECK(pair_cost(success, order::acq_rel, order::acquire) ==
          sum(atomic_operation::compare_exchange_strong, order::acq_rel, order::acquire));
    CHECK(pair_cost(failure, order::acq_rel, order::acquire) == pair_cost(success, order::acq_rel, order::acquire));
    CHECK(*pair_cost(success, order::release, order::relaxed) < *pair_cost(success, order::release, order::acquire));
    CHECK_FALSE(pair_cost(success, order::acq_rel, order::release));
    CHECK_FALSE(operation_cost(success, order::acq_rel));
    CHECK_FALSE(operation_cost(failure, order::acquire));
    CHECK_FALSE(pair_cost(site_of(role::exchange, "exchange"), order::acq_rel, order::acquire));
    for (const target each : targets()) {
        CHECK(pair_instructions_at(each, success, order::acq_rel, order::acquire) ==
              instructions_of(each, atomic_operation::compare_exchange_strong, 8, order::acq_rel, order::acquire));
        CHECK_FALSE(instructions_at(each, success, order::acq_rel));
    }
}

}  // namespace ordeal
