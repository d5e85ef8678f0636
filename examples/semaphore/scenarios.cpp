// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "semaphore.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>

namespace examples {
namespace {

template <ordeal::atomic_policy P>
struct hands_over {
    static constexpr auto about = "A producer releases, a consumer acquires: it sees what was produced.";
    static constexpr auto threads = std::array{"producer", "consumer"};
    semaphore<P> filled{0};
    typename P::template cell<int> payload{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            filled.release();
        } else {
            consume();
        }
    }
    ordeal::detached consume() {
        co_await filled.acquire();
        seen = payload.read();
    }
    void finish() { ordeal::require(seen == 42); }
};
ORDEAL_SCENARIO("semaphore/hands_over", hands_over);

template <ordeal::atomic_policy P>
struct as_a_lock {
    static constexpr auto about = "One token is a lock: two coroutines count under it.";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
    semaphore<P> token{1};
    typename P::template cell<int> count{0};

    void run(int /*thread*/) { increment(); }
    ordeal::detached increment() {
        co_await token.acquire();
        ++count.write();
        token.release();
    }
    void finish() { ordeal::require(count.read() == 2); }
};
ORDEAL_SCENARIO("semaphore/as_a_lock", as_a_lock);

template <ordeal::atomic_policy P>
struct two_tokens {
    static constexpr auto about = "Two producers, and a consumer of both tokens: it sees what both did.";
    static constexpr auto threads = std::array{"consumer", "producer", "producer"};
    semaphore<P> filled{0};
    std::array<typename P::template cell<int>, 2> payload;
    int sum = 0;

    void run(int thread) {
        if (thread == 0) {
            consume();
        } else {
            payload.at(static_cast<std::size_t>(thread - 1)).write() = thread;
            filled.release();
        }
    }
    ordeal::detached consume() {
        co_await filled.acquire();
        co_await filled.acquire();
        for (const auto& each : payload) sum += each.read();
    }
    void finish() { ordeal::require(sum == 3); }
};
ORDEAL_SCENARIO("semaphore/two_tokens", two_tokens);

template <ordeal::atomic_policy P>
struct two_waiters {
    static constexpr auto about = "Two coroutines wait, one thread releases twice: both get a token.";
    static constexpr auto threads = std::array{"releases", "waits", "waits"};
    static constexpr auto interchangeable = std::array{1, 2};
    semaphore<P> filled{0};
    std::array<bool, 2> got{};

    void run(int thread) {
        if (thread == 0) {
            filled.release();
            filled.release();
        } else {
            wait(got.at(static_cast<std::size_t>(thread - 1)));
        }
    }
    ordeal::detached wait(bool& done) {
        co_await filled.acquire();
        done = true;
    }
    void finish() { ordeal::require(got[0] && got[1]); }
};
ORDEAL_SCENARIO("semaphore/two_waiters", two_waiters);

template <ordeal::atomic_policy P>
struct one_by_one {
    static constexpr auto about =
        "Two coroutines wait until tokens come one by one: each token lets one of them through.";
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto interchangeable = std::array{0, 1};
    semaphore<P> filled{0};
    std::array<bool, 2> got{};

    void run(int thread) { wait(got.at(static_cast<std::size_t>(thread))); }
    ordeal::detached wait(bool& done) {
        co_await filled.acquire();
        done = true;
    }
    void finish() {
        ordeal::require(!got[0] && !got[1], "there is no token yet");
        filled.release();
        ordeal::require(got[0] != got[1], "there is one token");
        filled.release();
        ordeal::require(got[0] && got[1]);
    }
};
ORDEAL_SCENARIO("semaphore/one_by_one", one_by_one);

}  // namespace
}  // namespace examples
