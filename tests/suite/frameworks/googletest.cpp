// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "on_trial.hpp"

#include "ordeal/check.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

int global = 1;

class fixture : public testing::Test {
protected:
    void SetUp() override { values.push_back(1); }

    std::vector<int> values;
};

}  // namespace

TEST(Counter, Right) {
    ordeal::check([] {
        const int total = incremented_by_two(true);
        EXPECT_EQ(total, 2) << "of two";
        ASSERT_TRUE(total == 2);
    });
}

TEST(Counter, Wrong) {
    ordeal::check([] { EXPECT_EQ(incremented_by_two(false), 2) << "one was lost"; });
}

TEST(Mailbox, Race) {
    ordeal::check([] {
        mailbox box(std::memory_order_relaxed);
        std::thread sender([&] { box.put(1); });
        static_cast<void>(box.take());
        sender.join();
    });
}

TEST(Mailbox, AssertionOnAnotherThread) {
    ordeal::check([] {
        mailbox box(std::memory_order_acquire);
        std::thread receiver([&] {
            SCOPED_TRACE("receiver");
            const int taken = box.take();
            EXPECT_TRUE(taken == 0 || taken == 1);
            EXPECT_NE(taken, 1) << "it was taken";
        });
        box.put(1);
        receiver.join();
    });
}

// What the test has is put back before each execution, and is there afterwards as if nothing had been.
TEST_F(fixture, StateIsPutBack) {
    int local = 7;
    auto block = std::make_unique<std::string>(100, 'x');
    ordeal::check([&, copied = 3]() mutable {
        std::atomic<int> flag{0};
        std::thread other([&] { flag.store(1, std::memory_order_relaxed); });
        static_cast<void>(flag.load(std::memory_order_relaxed));
        EXPECT_EQ(++local, 8);
        EXPECT_EQ(++copied, 4);
        EXPECT_EQ(++global, 2);
        values.push_back(2);
        EXPECT_EQ(values.size(), 2U);
        *block += 'y';
        EXPECT_EQ(block->size(), 101U);
        other.join();
    });
    EXPECT_EQ(local, 7);
    EXPECT_EQ(global, 1);
    EXPECT_EQ(values.size(), 1U);
    EXPECT_EQ(block->size(), 100U);
}

TEST(Budget, NoSuchSearch) {
    ordeal::check([] { static_cast<void>(incremented_by_two(true)); }, {.search = "no such search"});
}

TEST(Budget, NoSuchAcceptance) {
    ordeal::check([] { static_cast<void>(incremented_by_two(true)); }, {.accept = "leak no@such"});
}

// What `--spurious 0`, `--accept` and `--strict` say is said here, too.
TEST(Budget, NoneSpurious) {
    ordeal::check(
        [] {
            std::atomic<int> count{0};
            int expected = 0;
            EXPECT_TRUE(count.compare_exchange_weak(expected, 1));
        },
        {.spurious = 0});
}
TEST(Budget, Accepted) {
    ordeal::check(
        [] {
            mailbox box(std::memory_order_relaxed);
            std::thread sender([&] { box.put(1); });
            static_cast<void>(box.take());
            sender.join();
        },
        {.reductions = "none", .accept = "leak data-race"});
}
TEST(Budget, BoundedStrictly) {
    ordeal::check([] { EXPECT_EQ(incremented_by_two(true), 2); }, {.search = "preemptions=0", .strict = true});
}

TEST(Budget, Bounded) {
    ordeal::check([] { EXPECT_EQ(incremented_by_two(true), 2); }, {.search = "preemptions=0"});
}

TEST(NotChecked, Native) {
    std::atomic<int> count{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { ++count; });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(count, 4);
}
