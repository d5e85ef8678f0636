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
ORDEAL_SCENARIO("programs/null_pointer_in_vain", ends<by_null_pointer_in_vain, violation_kind::crash>);

}  // namespace

}  // namespace ordeal::model_tests
