// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "account.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

TEST(Account, KeepsAll) {
    account one;
    one.pay_twice(2, true);
    EXPECT_EQ(one.balance(), 4);
}

TEST(Account, LosesSome) {
    account one;
    one.pay_twice(2, false);
    EXPECT_EQ(one.balance(), 4) << "a payment was lost";
}

TEST(Letter, Race) { EXPECT_EQ(letter_handed_over(), 42); }

class Filled : public testing::Test {
protected:
    void SetUp() override {
        one_.pay_twice(1, true);
        values_.push_back(one_.balance());
    }
    void TearDown() override { EXPECT_EQ(values_.size(), expected_); }

    account one_;
    std::vector<int> values_;
    std::size_t expected_ = 1;
};

TEST_F(Filled, BeginsWithTwo) { EXPECT_EQ(values_.front(), 2); }
TEST_F(Filled, FailsInTearDown) { expected_ = 2; }

class Amounts : public testing::TestWithParam<int> {};
TEST_P(Amounts, AreKept) {
    account one;
    one.pay_twice(GetParam(), true);
    ASSERT_EQ(one.balance(), 2 * GetParam());
}
TEST_P(Amounts, AreSmall) { EXPECT_LT(GetParam(), 3); }
INSTANTIATE_TEST_SUITE_P(Some, Amounts, testing::Values(1, 3));

template <class T>
class Typed : public testing::Test {};
using types = testing::Types<int, long>;
TYPED_TEST_SUITE(Typed, types);
TYPED_TEST(Typed, Counts) {
    std::atomic<TypeParam> count{0};
    std::thread other([&] { ++count; });
    ++count;
    other.join();
    EXPECT_EQ(count, 2);
}

// Where it fails is on another thread.
TEST(Thread, AssertsElsewhere) {
    std::atomic<int> seen{0};
    std::thread other([&] { EXPECT_EQ(seen.load(), 0) << "on another thread"; });
    seen.store(1);
    other.join();
}

TEST(Weak, ExchangeSucceeds) {
    std::atomic<int> value{0};
    int expected = 0;
    EXPECT_TRUE(value.compare_exchange_weak(expected, 1));
    std::mutex mutex;
    std::thread other([&] { value.store(2); });
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
    other.join();
}

TEST(Throws, IsAFailure) {
    account one;
    one.pay_twice(2, false);
    if (one.balance() != 4) throw std::vector<int>().at(1);
}

TEST(Skipped, SaysSo) { GTEST_SKIP() << "not on this machine"; }
TEST(Account, DISABLED_IsNotThere) { FAIL(); }
TEST(Death, NeedsAProcess) { EXPECT_DEATH(std::abort(), ""); }

// The library of GoogleMock counts its references to expectations in code that was compiled elsewhere, and its headers
// do in code that is compiled here.
class Bank {
public:
    virtual ~Bank() = default;
    virtual int pay(int amount) = 0;
};
class MockBank : public Bank {
public:
    MOCK_METHOD(int, pay, (int amount), (override));
};

TEST(Mock, IsAskedInOrder) {
    MockBank bank;
    const testing::InSequence in_order;
    EXPECT_CALL(bank, pay(2)).WillOnce(testing::Return(1));
    EXPECT_CALL(bank, pay(2)).WillOnce(testing::Return(3));
    EXPECT_EQ(bank.pay(2), 1);
    EXPECT_EQ(bank.pay(2), 3);
}
