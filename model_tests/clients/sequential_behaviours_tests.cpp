// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a specification allows, against brute force: every permutation of the calls, with each call having each result.
#include "ordeal/scenario/sequential_behaviours.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

namespace ordeal::model_tests {
namespace {

using namespace detail;

constexpr std::uint8_t push = 0;
constexpr std::uint8_t pop = 1;
constexpr std::uint8_t wait = 2;
constexpr std::uint8_t any = 3;

/// A queue with room for two values, whose pop() may wait; wait() completes later, when the queue is empty.
class queue_specification final : public client_specification {
public:
    explicit queue_specification(bool compares, bool pop_waits) : compares_(compares), pop_waits_(pop_waits) {}

    [[nodiscard]] void* initial() const override { return new state; }
    [[nodiscard]] void* copy(const void* from) const override { return new state(of(from)); }
    void destroy(void* which) const override { delete static_cast<state*>(which); }
    [[nodiscard]] bool are_equal(const void* one, const void* other) const override {
        return compares_ && of(one) == of(other);
    }
    [[nodiscard]] bool may_wait() const override { return true; }
    [[nodiscard]] bool is_enabled(const void* which, client_call call) const override {
        if (call.operation == wait) return of(which).empty();
        return call.operation != pop || !pop_waits_ || !of(which).empty();
    }
    client_result apply(void* which, client_call call, choice& choose) const override {
        state& values = *static_cast<state*>(which);
        if (call.operation == wait) return {};
        if (call.operation == any && !values.empty()) {
            const auto which_one = values.begin() + choose(values.size());
            const int value = *which_one;
            values.erase(which_one);
            return {client_result::kind::number, value};
        }
        if (call.operation == push) {
            const bool fits = values.size() < 2;
            if (fits) values.push_back(call.argument);
            return {client_result::kind::boolean, fits ? 1 : 0};
        }
        if (values.empty()) return {client_result::kind::empty, 0};
        const int value = values.front();
        values.pop_front();
        return {client_result::kind::number, value};
    }

private:
    using state = std::deque<int>;
    [[nodiscard]] static const state& of(const void* which) { return *static_cast<const state*>(which); }

    bool compares_;
    bool pop_waits_;
};

using constraints = std::vector<sequential_behaviours::constraint>;

struct numbered_call {
    std::size_t thread;
    client_call what;
};

/// The definition, read literally.
class brute_force {
public:
    brute_force(const client_specification& specification, const std::vector<client_operation>& operations,
                const client_threads& threads, bool keeps_threads = true)
        : specification_(specification), operations_(operations), keeps_threads_(keeps_threads) {
        for (std::size_t thread = 0; thread < threads.size(); ++thread) {
            for (const client_call& call : threads[thread]) calls_.push_back({thread, call});
        }
    }

    [[nodiscard]] bool allows(const constraints& of) const {
        std::vector<std::size_t> completed;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const bool pending = of[i].result.what == client_result::kind::pending;
            if (pending && keeps_threads_ && !operations_[calls_[i].what.operation].completes_later) return false;
            if (!pending) completed.push_back(i);
        }
        do {
            if (has_these_results(completed, of)) return true;
        } while (std::ranges::next_permutation(completed).found);
        return false;
    }

private:
    // A call that completes later begins when those before it in its thread have been made, and lets others overtake it.
    [[nodiscard]] bool keeps_order(const std::vector<std::size_t>& order, const constraints& of) const {
        for (std::size_t later = 0; later < order.size(); ++later) {
            for (std::size_t i = 0; i < calls_.size(); ++i) {
                const bool is_earlier = std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(later),
                                                  i) != order.begin() + static_cast<std::ptrdiff_t>(later);
                const bool in_thread = keeps_threads_ && calls_[i].thread == calls_[order[later]].thread &&
                                       i < order[later] && !operations_[calls_[i].what.operation].completes_later;
                const bool by_history = (of[order[later]].before >> i & 1U) != 0;
                if ((in_thread || by_history) && !is_earlier) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool has_these_results(const std::vector<std::size_t>& order, const constraints& of) const {
        if (!keeps_order(order, of)) return false;
        void* const state = specification_.initial();
        bool same = true;
        for (const std::size_t call : order) {
            if (!specification_.is_enabled(state, calls_[call].what)) same = false;
            if (!same) break;
            const client_operation& operation = operations_[calls_[call].what.operation];
            const client_result failure{operation.failure, 0};
            void* const before = specification_.copy(state);
            choice only_one;
            if (specification_.apply(state, calls_[call].what, only_one) != of[call].result) {
                // It may have failed instead, without an effect.
                same = operation.may_fail && of[call].result == failure;
                *static_cast<std::deque<int>*>(state) = *static_cast<const std::deque<int>*>(before);
            }
            specification_.destroy(before);
        }
        // What is left may not be able to complete.
        for (std::size_t i = 0; same && i < calls_.size(); ++i) {
            if (std::ranges::count(order, i) == 0) same = !specification_.is_enabled(state, calls_[i].what);
        }
        specification_.destroy(state);
        return same;
    }

    const client_specification& specification_;
    const std::vector<client_operation>& operations_;
    bool keeps_threads_;
    std::vector<numbered_call> calls_;
};

// Calls `visit` for each way in which these calls may end, possible or not.
template <class Visit>
void for_each_ending(const std::vector<client_operation>& operations, const std::vector<client_call>& calls, int values,
                     constraints& ended, const Visit& visit) {
    if (ended.size() == calls.size()) return visit(ended);
    using enum client_result::kind;
    std::vector<client_result> endings;
    const std::uint8_t operation = calls[ended.size()].operation;
    if (operations[operation].completes_later) {
        endings = {{pending, 0}, {nothing, 0}};
    } else if (operation == push) {
        endings = {{boolean, 0}, {boolean, 1}};
    } else {
        endings.push_back({empty, 0});
        for (int value = 1; value <= values; ++value) endings.push_back({number, value});
    }
    for (const client_result& each : endings) {
        ended.push_back({each, 0});
        for_each_ending(operations, calls, values, ended, visit);
        ended.pop_back();
    }
}

std::vector<client_operation> operations_of_queue(bool may_fail) {
    std::vector<client_operation> operations(4);
    operations[any].name = "any";
    operations[push].name = "push";
    operations[push].fresh = true;
    operations[push].may_fail = may_fail;
    operations[push].failure = client_result::kind::boolean;
    operations[pop].name = "pop";
    operations[pop].may_fail = may_fail;
    operations[pop].failure = client_result::kind::empty;
    operations[wait].name = "wait";
    operations[wait].completes_later = true;
    return operations;
}

}  // namespace

TEST_CASE("A specification allows the results that some order of the calls has, and no others") {
    const auto seed = GENERATE(range(1U, 9U));
    const bool may_fail = seed % 2 == 0;
    const bool compares = seed % 4 < 2;
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](std::size_t limit) { return random() % limit; };
    const queue_specification specification(compares, false);
    const std::vector<client_operation> operations = operations_of_queue(may_fail);
    client_family family;
    family.name = "queue";
    family.operations = operations;
    family.specification = &specification;

    std::size_t allowed = 0;
    std::size_t refused = 0;
    for (int round = 0; round < 400; ++round) {
        client_threads threads(1 + below(3));
        int number = 0;
        std::size_t calls = 0;
        for (auto& thread : threads) {
            for (std::size_t i = 1 + below(2); i > 0; --i, ++calls) {
                const auto operation = static_cast<std::uint8_t>(below(3));
                thread.push_back({operation, operation == push ? ++number : 0});
            }
        }
        const auto all = sequential_behaviours::of(family, {}, threads);
        REQUIRE(all);
        constraints history(calls);
        std::size_t at = 0;
        for (const auto& thread : threads) {
            for (const client_call& call : thread) {
                client_result& result = history[at].result;
                if (call.operation == push) {
                    result = {client_result::kind::boolean, below(3) == 0 ? 0 : 1};
                } else if (call.operation == wait) {
                    result.what = below(3) == 0 ? client_result::kind::pending : client_result::kind::nothing;
                } else if (below(3) == 0) {
                    result = {client_result::kind::empty, 0};
                } else {
                    result = {client_result::kind::number,
                              static_cast<std::int64_t>(1 + below(static_cast<std::size_t>(number) + 1))};
                }
                const std::size_t other = below(calls);
                const bool pending = history[other].result.what == client_result::kind::pending;
                if (other < at && !pending && below(3) == 0) history[at].before = call_set{1} << other;
                ++at;
            }
        }
        const bool expected = brute_force(specification, operations, threads).allows(history);
        CAPTURE(round, calls);
        CHECK(all->allow(history) == expected);
        ++(expected ? allowed : refused);
        if (expected) continue;
        const auto longest = all->longest(history);
        CHECK(longest.calls.size() <= calls);
        for (const auto& [call, result] : longest.next) CHECK(history[call].result != result);
    }
    CHECK(allowed > 30);
    CHECK(refused > 30);
}

TEST_CASE("The results of a specification are those that it allows, without the failures that may be") {
    const auto seed = GENERATE(range(1U, 5U));
    const bool quiescent = seed % 2 == 0;
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](std::size_t limit) { return random() % limit; };
    const queue_specification specification(true, false);
    const std::vector<client_operation> never_fail = operations_of_queue(false);
    const std::vector<client_operation> may_fail = operations_of_queue(true);
    client_family family;
    family.name = "queue";
    family.operations = may_fail;
    family.specification = &specification;
    if (quiescent) family.consistency = consistency::quiescent;

    std::size_t combinations = 0;
    for (int round = 0; round < 40; ++round) {
        client_threads threads(1 + below(3));
        std::vector<client_call> calls;
        int number = 0;
        for (auto& thread : threads) {
            for (std::size_t i = 1 + below(threads.size() == 3 ? 1 : 2); i > 0; --i) {
                const auto operation = static_cast<std::uint8_t>(below(3));
                thread.push_back({operation, operation == push ? ++number : 0});
                calls.push_back(thread.back());
            }
        }
        const auto all = sequential_behaviours::of(family, {}, threads);
        REQUIRE(all);
        const brute_force definition(specification, never_fail, threads, !quiescent);
        std::vector<std::vector<client_result>> expected;
        constraints ended;
        for_each_ending(never_fail, calls, number, ended, [&](const constraints& one) {
            if (!definition.allows(one)) return;
            auto& added = expected.emplace_back();
            for (const auto& each : one) added.push_back(each.result);
        });
        std::ranges::sort(expected);
        const auto found = all->results(1'000);
        REQUIRE(found);
        CHECK(*found == expected);
        combinations += expected.size();
        CHECK(all->results(0) == std::nullopt);
    }
    CHECK(combinations > 60);
}

TEST_CASE("A specification may end a call in several ways, and each of them is allowed") {
    const queue_specification specification(true, false);
    const std::vector<client_operation> operations = operations_of_queue(false);
    client_family family;
    family.name = "bag";
    family.operations = operations;
    family.specification = &specification;
    const client_call any_one{any, 0};
    const auto all = sequential_behaviours::of(family, {{push, 1}, {push, 2}}, {{any_one, any_one}, {any_one}});
    REQUIRE(all);
    const auto allows = [&](int first, int second, int other) {
        const auto result = [](int value) {
            return value == 0 ? client_result{client_result::kind::empty, 0}
                              : client_result{client_result::kind::number, value};
        };
        return all->allow(constraints{{result(first)}, {result(second)}, {result(other)}});
    };
    CHECK(allows(1, 2, 0));
    CHECK(allows(2, 1, 0));
    CHECK(allows(2, 0, 1));
    CHECK(allows(1, 0, 2));
    CHECK_FALSE(allows(0, 1, 2));
    CHECK_FALSE(allows(1, 1, 0));
    CHECK_FALSE(allows(1, 0, 0));
    // A start that may end in several ways.
    const auto one_left = sequential_behaviours::of(family, {{push, 1}, {push, 2}, any_one}, {{any_one, any_one}});
    REQUIRE(one_left);
    for (const int left : {1, 2}) {
        const client_result value{client_result::kind::number, left};
        const client_result empty{client_result::kind::empty, 0};
        CHECK(one_left->allow(constraints{{value}, {empty}}));
        CHECK_FALSE(one_left->allow(constraints{{empty}, {value}}));
    }
}

TEST_CASE("A client in which some order of the calls waits for ever has no sequential behaviours") {
    const queue_specification specification(true, true);
    const std::vector<client_operation> operations = operations_of_queue(false);
    client_family family;
    family.name = "queue";
    family.operations = operations;
    family.specification = &specification;
    const client_call push_one{push, 1};
    const client_call pop_one{pop, 0};
    CHECK(sequential_behaviours::of(family, {}, {{push_one}, {pop_one}}));
    CHECK_FALSE(sequential_behaviours::of(family, {}, {{push_one}, {pop_one}, {pop_one}}));
    CHECK_FALSE(sequential_behaviours::of(family, {}, {{pop_one, push_one}}));
    CHECK(sequential_behaviours::of(family, {push_one}, {{pop_one, push_one}}));
    // A full queue refuses, and both pop() get something all the same.
    CHECK(sequential_behaviours::of(family, {push_one}, {{push_one, push_one}, {pop_one, pop_one}}));
    const client_call wait_for_none{wait, 0};
    CHECK(sequential_behaviours::of(family, {push_one}, {{wait_for_none}, {push_one}}));
}

}  // namespace ordeal::model_tests
