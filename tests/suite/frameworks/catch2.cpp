// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "on_trial.hpp"

#include "ordeal/check.hpp"

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

int global = 1;

}  // namespace

// First: what the framework makes when it is needed is not there yet.
TEST_CASE("all of it") {
    ordeal::check([] {
        const int total = incremented_by_two(true);
        CHECK(total == 2);
        REQUIRE_FALSE(total != 2);
        REQUIRE_THROWS_AS(throw std::logic_error("thrown"), std::logic_error);
        REQUIRE_NOTHROW(incremented_by_two(true));
        SUCCEED("indeed");
    });
}

TEST_CASE("right") {
    ordeal::check([] {
        const int total = incremented_by_two(true);
        CHECK(total == 2);
        REQUIRE_FALSE(total != 2);
    });
}

TEST_CASE("exceptions") {
    ordeal::check([] {
        REQUIRE_NOTHROW(incremented_by_two(true));
        REQUIRE_THROWS_AS(throw std::logic_error("thrown"), std::logic_error);
    });
}

TEST_CASE("success") {
    ordeal::check([] {
        CHECK(incremented_by_two(true) == 2);
        SUCCEED("indeed");
    });
}

TEST_CASE("wrong, [it] is") {
    ordeal::check([] {
        INFO("two threads");
        CHECK(incremented_by_two(false) == 2);
    });
}

TEST_CASE("race") {
    ordeal::check([] {
        mailbox box(std::memory_order_relaxed);
        std::thread sender([&] { box.put(1); });
        static_cast<void>(box.take());
        sender.join();
    });
}

TEST_CASE("an assertion on another thread") {
    ordeal::check([] {
        mailbox box(std::memory_order_acquire);
        std::thread receiver([&] {
            const int taken = box.take();
            CAPTURE(taken);
            REQUIRE(taken != 1);
        });
        box.put(1);
        receiver.join();
    });
}

// What the test has is put back before each execution, and is there afterwards as if nothing had been.
TEST_CASE("state is put back") {
    int local = 7;
    std::vector<int> values{1};
    auto block = std::make_unique<std::string>(100, 'x');
    ordeal::check([&, copied = 3]() mutable {
        std::atomic<int> flag{0};
        std::thread other([&] { flag.store(1, std::memory_order_relaxed); });
        static_cast<void>(flag.load(std::memory_order_relaxed));
        CHECK(++local == 8);
        CHECK(++copied == 4);
        CHECK(++global == 2);
        values.push_back(2);
        CHECK(values.size() == 2);
        *block += 'y';
        CHECK(block->size() == 101);
        other.join();
    });
    CHECK(local == 7);
    CHECK(global == 1);
    CHECK(values.size() == 1);
    CHECK(block->size() == 100);
}

TEST_CASE("a section in a body") {
    ordeal::check([] {
        SECTION("inside") { CHECK(incremented_by_two(true) == 2); }
    });
}

TEST_CASE("no such search") {
    ordeal::check([] { static_cast<void>(incremented_by_two(true)); }, {.search = "no such search"});
}

TEST_CASE("bounded") {
    ordeal::check([] { CHECK(incremented_by_two(true) == 2); }, {.search = "preemptions=0"});
}

TEST_CASE("in each section") {
    SECTION("first") {
        ordeal::check([] { CHECK(incremented_by_two(true) == 2); });
    }
    SECTION("second") {
        ordeal::check([] { CHECK(incremented_by_two(false) == 2); });
    }
}

TEST_CASE("not checked") {
    std::atomic<int> count{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { ++count; });
    for (std::thread& each : threads) each.join();
    CHECK(count == 4);
}
