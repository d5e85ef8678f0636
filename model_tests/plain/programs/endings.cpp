// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways for a program to end that nobody meant.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ordeal::model_tests {

namespace {

struct threads_are_joined {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<int> count{0};
        std::vector<std::thread> all;
        for (int i = 0; i < 2; ++i) all.emplace_back([&count, i] { count += i + 1; });
        for (std::thread& each : all) each.join();
        require(count == 3);
    }
};

struct thread_is_not_joined {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        const std::thread worker([] {});
    }
};

// What a thread was given goes on to live in it.
struct thread_is_detached {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        const auto shared = std::make_shared<std::atomic<int>>(0);
        std::thread([shared] { shared->fetch_add(1); }).detach();
        require(shared->load() < 2);
    }
};

struct exception_is_caught {
    static constexpr auto threads = std::array{"throws", "throws"};
    std::atomic<int> caught{0};

    void run(int thread) {
        try {
            throw std::runtime_error("by thread " + std::to_string(thread));
        } catch (const std::runtime_error& error) {
            caught.fetch_add(1);
            require(error.what() == "by thread " + std::to_string(thread));
        }
    }
    void finish() const { require(caught.load() == 2); }
};

struct exception_escapes_a_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::jthread worker([] { throw std::runtime_error("escapes"); });
    }
};

// In one of the orders only.
struct exception_escapes_a_scenario {
    static constexpr auto threads = std::array{"sets", "throws"};
    std::atomic<bool> flag{false};

    void run(int thread) {
        if (thread == 0) {
            flag.store(true);
        } else if (flag.load()) {
            throw std::runtime_error("the flag is set");
        }
    }
};

struct noexcept_is_broken {
    static constexpr auto threads = std::array{"throws"};
    std::vector<int> few{1, 2};

    void run(int /*thread*/) { require(few.at(0) == 1 && first_after(2) == 0); }

private:
    [[nodiscard]] int first_after(std::size_t index) const noexcept { return few.at(index); }
};

struct exception_of_no_class {
    static constexpr auto threads = std::array{"throws"};

    void run(int /*thread*/) { throw 42; }
};

struct terminates {
    static constexpr auto threads = std::array{"terminates"};

    void run(int /*thread*/) { std::terminate(); }
};

template <class Ending>
struct ends_if_set {
    static constexpr auto threads = std::array{"sets", "looks"};
    std::atomic<int> flag{0};

    void run(int thread) {
        if (thread == 0) {
            flag.store(1);
        } else if (flag.load() == 1) {
            Ending::end(flag.load());
        }
    }
};

struct by_assert {
    static void end(int value) { assert(value == 0); }
};
struct by_abort {
    static void end(int /*value*/) { std::abort(); }
};
struct by_null_pointer {
    static void end(int value) { *reinterpret_cast<volatile int*>(static_cast<std::intptr_t>(value) - 1) = value; }
};

struct by_null_pointer_in_vain {
    static void end(int value) {
        const int unused = *reinterpret_cast<int*>(static_cast<std::intptr_t>(value) - 1);
        static_cast<void>(unused);
    }
};

enum class state : std::uint8_t { idle, busy };

// NOLINTBEGIN(clang-diagnostic-return-type,clang-analyzer-*): what is wrong here
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"
struct by_missing_return {
    static int cost_of(state what) {
        if (what == state::idle) return 0;
    }
    static void end(int value) { require(cost_of(static_cast<state>(value)) == 0); }
};
#pragma GCC diagnostic pop
struct by_unreachable {
    static void end(int value) {
        if (value != 0) __builtin_unreachable();
    }
};
struct by_index {
    static void end(int value) {
        int values[2] = {};  // NOLINT(modernize-avoid-c-arrays)
        values[value + 1] = 1;
        require(values[0] == 0);
    }
};
// NOLINTEND(clang-diagnostic-return-type,clang-analyzer-*)

// The library itself asks for these.
struct by_empty_string {
    static void end(int value) { require(std::string(static_cast<std::size_t>(value) - 1, 'x').back() == 'x'); }
};
struct by_index_of_vector {
    static void end(int value) {
        const std::vector<int> one(1);
        require(one[static_cast<std::size_t>(value)] == 0);
    }
};
struct by_empty_optional {
    static void end(int value) {
        const std::optional<int> none = value == 0 ? std::optional(1) : std::nullopt;
        require(*none == 1);
    }
};
struct by_order_of_store {
    static void end(int value) {
        std::atomic<int> stored{0};
        stored.store(value, value == 0 ? std::memory_order_relaxed : std::memory_order_acquire);
    }
};
struct by_order_of_load {
    static void end(int value) {
        const std::atomic<int> loaded{value};
        require(loaded.load(value == 0 ? std::memory_order_relaxed : std::memory_order_release) == value);
    }
};

// With those that the program itself uses, between its own texts.
struct throws_any_bytes {
    static constexpr auto threads = std::array{"throws", "does nothing"};
    void run(int thread) const {
        if (thread == 0)
            throw std::runtime_error(
                "a\x01"
                "b\x02\x01\x01"
                "7\x01");
    }
};

template <class Ending, violation_kind Kind>
using ends = wrong<ends_if_set<Ending>, Kind>;
template <class Program>
using throws_out = wrong<Program, violation_kind::uncaught_exception>;

ORDEAL_SCENARIO("programs/threads_are_joined", threads_are_joined);
ORDEAL_SCENARIO("programs/thread_is_not_joined", throws_out<thread_is_not_joined>);
ORDEAL_SCENARIO("programs/thread_is_detached", thread_is_detached);
ORDEAL_SCENARIO("programs/exception_is_caught", exception_is_caught);
ORDEAL_SCENARIO("programs/exception_escapes_a_thread", throws_out<exception_escapes_a_thread>);
ORDEAL_SCENARIO("programs/exception_escapes_a_scenario", throws_out<exception_escapes_a_scenario>);
ORDEAL_SCENARIO("programs/exception_of_no_class", throws_out<exception_of_no_class>);
ORDEAL_SCENARIO("programs/exception_says_any_bytes", throws_out<throws_any_bytes>);
ORDEAL_SCENARIO("programs/noexcept_is_broken", throws_out<noexcept_is_broken>);
ORDEAL_SCENARIO("programs/terminate", throws_out<terminates>);
ORDEAL_SCENARIO("programs/assert_fails", ends<by_assert, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/abort", ends<by_abort, violation_kind::crash>);
ORDEAL_SCENARIO("programs/null_pointer", ends<by_null_pointer, violation_kind::crash>);
ORDEAL_SCENARIO("programs/missing_return", ends<by_missing_return, violation_kind::crash>);
ORDEAL_SCENARIO("programs/unreachable", ends<by_unreachable, violation_kind::crash>);
ORDEAL_SCENARIO("programs/index_of_array", ends<by_index, violation_kind::crash>);
ORDEAL_SCENARIO("programs/back_of_empty_string", ends<by_empty_string, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/index_of_vector", ends<by_index_of_vector, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/value_of_empty_optional", ends<by_empty_optional, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/store_with_acquire", ends<by_order_of_store, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/load_with_release", ends<by_order_of_load, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/null_pointer_in_vain", ends<by_null_pointer_in_vain, violation_kind::crash>);

}  // namespace

}  // namespace ordeal::model_tests
