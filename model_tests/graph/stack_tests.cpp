// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of the model run on stacks of their own: how deep they go, and whose exceptions are whose.
#include "model_tests/graph/graph_search.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// One kilobyte for each call, more or less; both kept from being optimised away.
[[gnu::noinline]] int descend(int calls) {
    volatile char room[1000] = {};
    room[static_cast<std::size_t>(calls) % sizeof room] = 1;
    return calls == 0 ? room[0] : descend(calls - 1) + room[1];
}

template <int Calls>
struct calls_deeply {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};

        void run(int thread) {
            x.fetch_add(1, relaxed);
            if (thread == 1) (void)descend(Calls);
            x.fetch_add(1, relaxed);
        }
    };
};

template <class P>
struct calls_deeply_in_finish {
    static constexpr auto threads = two_threads;
    void run(int) {}
    void finish() { (void)descend(1'000'000); }
};

template <class P>
struct writes_nowhere {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        x.fetch_add(1, relaxed);
        volatile int* nowhere = nullptr;
        nowhere = nowhere + 1;
        if (thread == 1) *nowhere = 1;  // NOLINT(clang-analyzer-core.NullDereference): that is the test
    }
};

// Each thread throws and catches its own, with operations where the other may run.
template <class P>
struct catches_its_own {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    std::array<std::string, 2> seen;

    void run(int thread) {
        const std::string mine = "exception " + std::to_string(thread);
        require(!std::current_exception(), "no exception at the beginning");
        try {
            x.fetch_add(1, relaxed);
            throw std::runtime_error(mine);
        } catch (const std::runtime_error& error) {
            x.fetch_add(1, relaxed);
            require(error.what() == mine, "the exception caught is its own");
            require(what_is_current() == mine, "the current exception is its own");
            x.fetch_add(1, relaxed);
            require(what_is_current() == mine, "and still is");
            require(std::uncaught_exceptions() == 0, "it is caught");
        }
        x.fetch_add(1, relaxed);
        require(!std::current_exception(), "no exception at the end");
    }
    static std::string what_is_current() {
        try {
            std::rethrow_exception(std::current_exception());
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

// One exception inside the handling of another, rethrown, with operations between; the other thread has none.
template <class P>
struct nests_exceptions {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    int depth = 0;

    void run(int thread) {
        if (thread == 1) {
            for (int i = 0; i < 3; ++i) {
                x.fetch_add(1, relaxed);
                require(!std::current_exception() && std::uncaught_exceptions() == 0, "the other thread has none");
            }
            return;
        }
        try {
            try {
                throw 1;
            } catch (int) {
                x.fetch_add(1, relaxed);
                try {
                    throw 2;
                } catch (int value) {
                    x.fetch_add(1, relaxed);
                    depth = value;
                }
                x.fetch_add(1, relaxed);
                throw;
            }
        } catch (int value) {
            depth = 10 * depth + value;
        }
    }
    [[nodiscard]] std::string outcome() const { return values(depth); }
};

// Operations while the stack is unwound: the exception is in flight, and the other thread's is not.
template <class P>
struct unwinds_past_operations {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    std::array<int, 2> in_flight{};

    struct at_exit {
        unwinds_past_operations& of;
        int thread;
        ~at_exit() {
            of.x.fetch_add(1, relaxed);
            of.in_flight[static_cast<std::size_t>(thread)] += std::uncaught_exceptions();
            of.x.fetch_add(1, relaxed);
            of.in_flight[static_cast<std::size_t>(thread)] += std::uncaught_exceptions();
        }
    };

    void run(int thread) {
        try {
            const at_exit leaving{*this, thread};
            if (thread == 0) throw std::runtime_error("unwinds");
        } catch (const std::runtime_error&) {
            x.fetch_add(1, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(in_flight[0], in_flight[1]); }
};

// A thread that is left in the middle of a handler leaves nothing to the executions after it.
template <class P>
struct left_while_handling {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::mutex mutex;

    void run(int thread) {
        require(!std::current_exception(), "nothing is left of an execution before");
        if (thread == 1) return x.store(1, relaxed);
        try {
            throw 1;
        } catch (int) {
            while (x.load(relaxed) == 0) {
            }
        }
    }
    void finish() { require(!std::current_exception(), "nothing is left of a thread"); }
    [[nodiscard]] std::string outcome() const { return "ended"; }
};

void check_overflow(const scenario& what, const std::string& whose) {
    const search_result result = check_violated(what, violation_kind::crash);
    CHECK(result.message == "the stack of " + whose + " is used up (8 MB)");
    CHECK_FALSE(result.trace.empty());
}

}  // namespace

TEST_CASE("A recursion deeper than a thread's stack is a crash whose message says so") {
    check_overflow(make_scenario<calls_deeply<1'000'000>::test>("calls deeply"), "thread 2");
    check_overflow(make_scenario<calls_deeply_in_finish>("calls deeply in finish()"), "construction or finish");
}

TEST_CASE("A recursion of 7 MB has room enough") {
    check_held(make_scenario<calls_deeply<6'500>::test>("calls not so deeply"), {});
}

TEST_CASE("An invalid address is a crash of another kind") {
    const search_result result = check_violated(make_scenario<writes_nowhere>("writes nowhere"), violation_kind::crash);
    CHECK(result.message == "SIGSEGV: a null pointer is dereferenced");
}

TEST_CASE("Exceptions that two threads handle at a time do not mix") {
    check_held(make_scenario<catches_its_own>("catches its own"), {});
    check_held(make_scenario<nests_exceptions>("nests exceptions"), {"21"});
    check_held(make_scenario<unwinds_past_operations>("unwinds past operations"), {"2,0"});
}

TEST_CASE("A thread that is left while it handles an exception leaves no trace of it") {
    check_held(make_scenario<left_while_handling>("left while handling"), {"ended"});
}

}  // namespace ordeal::model_tests
