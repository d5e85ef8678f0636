// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_engine.hpp"

#include "ordeal/audit/source/order_comment.hpp"
#include "ordeal/audit/source/source_sites.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace audit_test;
using ordeal::order;
using ordeal::role;
using ordeal::detail::unreached_sites;

namespace {

const std::vector<std::string> latch = {
    "bool ready() { return state_.load(std::memory_order_acquire); }  // line 1",
    "void set() {",
    "    // order: release -> ready",
    "    state_.store(1, std::memory_order_release);",
    "    // n.store(2, std::memory_order_release);",
    "    if (!state_.compare_exchange_strong(",
    "            seen, 2, std::memory_order_acq_rel)) {",
    "        P::acquire_fence(state_);",
    "    }",
    "    std::exchange(a, b); file.load(name); done_.wait();",
    "    state_.wait(0, std::memory_order::relaxed);",
    "}",
};

}  // namespace

TEST_CASE("the sites in a source text are found with their roles and orders") {
    const auto sites = unreached_sites("latch.hpp", latch, {});
    REQUIRE(sites.size() == 6);
    const auto is = [&](std::size_t i, std::uint32_t line, role what, order declared) {
        CHECK(sites[i].key.file == "latch.hpp");
        CHECK(sites[i].key.line == line);
        CHECK(sites[i].key.what == what);
        CHECK(sites[i].declared == declared);
        CHECK(sites[i].atomic);
    };
    is(0, 1, role::load, order::acquire);
    is(1, 4, role::store, order::release);
    is(2, 6, role::success, order::acq_rel);
    is(3, 6, role::failure, order::acquire);
    is(4, 8, role::fence, order::acquire);
    is(5, 11, role::load, order::relaxed);
    CHECK(sites[2].operation == "compare_exchange_strong");
}

TEST_CASE("a function of the library is no operation, but what stands among its arguments is") {
    const std::vector<std::string> list = {"std::exchange(rest, rest->next.load(std::memory_order_relaxed));",
                                           "std::atomic_thread_fence(std::memory_order_acquire);"};
    const auto sites = unreached_sites("list.hpp", list, {});
    REQUIRE(sites.size() == 2);
    CHECK(sites[0].operation == "load");
    CHECK(sites[1].key.what == role::fence);
}

TEST_CASE("flags and fences of the standard library are found, by what they do") {
    const std::vector<std::string> lock = {
        "while (held_.test_and_set(std::memory_order_acquire)) {",
        "    while (held_.test(std::memory_order_relaxed)) words.clear();",
        "}",
        "std::atomic_thread_fence(std::memory_order_seq_cst);",
        "held_.clear(std::memory_order_release);",
    };
    const auto sites = unreached_sites("lock.hpp", lock, {});
    REQUIRE(sites.size() == 4);
    CHECK((sites[0].key.what == role::exchange && sites[0].declared == order::acquire));
    CHECK((sites[1].key.what == role::load && sites[1].declared == order::relaxed));
    CHECK((sites[2].key.what == role::fence && sites[2].declared == order::seq_cst));
    CHECK((sites[3].key.what == role::store && sites[3].declared == order::release));
}

TEST_CASE("sites that were reached are not listed again, on whichever line of the call they were seen") {
    const std::vector<ordeal::site> reached = {make_site("latch.hpp", 1, role::load, order::acquire),
                                               make_site("latch.hpp", 7, role::success, order::acq_rel),
                                               make_site("other.hpp", 4, role::store, order::release)};
    const auto sites = unreached_sites("latch.hpp", latch, reached);
    CHECK(sites.size() == 4);
    CHECK(std::ranges::none_of(sites,
                               [](const auto& each) { return each.key.line == 1 || each.key.what == role::success; }));
}

TEST_CASE("a site that no scenario reaches is unexercised, and the author's reason is beside it") {
    const auto folder = std::filesystem::temp_directory_path() / ("ordeal_source_sites_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string file = folder / "latch.hpp";
    {
        std::ofstream out(file);
        for (const auto& line : latch) out << line << '\n';
    }
    suite tests;
    tests.add("latch/ready", {{make_site(file, 1, role::load, order::acquire), true}},
              [](const orders&) { return all_held(); });
    const auto report = tests.audit();
    std::filesystem::remove_all(folder);
    const auto& sites = report.subjects.at(0).sites;
    REQUIRE(sites.size() == 6);
    CHECK(sites[0].verdict == ordeal::detail::site_verdict::stronger_than_needed);
    CHECK(sites[1].verdict == ordeal::detail::site_verdict::unexercised);
    CHECK(sites[1].reason == "release -> ready");
    REQUIRE(sites[1].weaker.size() == 1);
    CHECK(sites[1].weaker[0].verdict == ordeal::detail::order_verdict::unexercised);
    CHECK(sites[1].weaker[0].searches == 0);
}
