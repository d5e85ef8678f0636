// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which later writes depend on an earlier read, and which only seem to: the thread is run with other values of the read.
#include "model_tests/support/search.hpp"
#include "ordeal/scenario/require.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// The second thread stores to x when it has seen a store to y.
template <class P>
struct buffering {
    static constexpr auto threads = std::array{"one", "other"};
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    typename P::template atomic<int> z{0};
    int seen = 0;

    void answer(int with) {
        if (y.load(relaxed) != 0) x.store(with, relaxed);
    }
};

template <class P>
struct by_value : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        this->y.store(this->x.load(relaxed) + 1, relaxed);
    }
};

template <class P>
struct by_no_value : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        this->y.store(this->x.load(relaxed) * 0 + 1, relaxed);
    }
};

template <class P>
struct by_address : buffering<P> {
    std::array<typename P::template atomic<int>, 3> others{};
    void run(int thread) {
        if (thread == 0) {
            others[static_cast<std::size_t>(this->x.load(relaxed))].store(1, relaxed);
        } else if (others[0].load(relaxed) != 0) {
            this->x.store(2, relaxed);
        }
    }
};

// Only as long as nothing is there.
template <class P>
struct by_branch : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        if (this->x.load(relaxed) == 0) this->y.store(1, relaxed);
    }
};

// The branch makes no difference to the store, but processors wait for it.
template <class P>
struct behind_a_branch : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        if (this->x.load(relaxed) == 0) this->z.store(1, relaxed);
        this->y.store(1, relaxed);
    }
};

// With what it would read the store is made, but not with another value that the other thread stores.
template <class P>
struct by_another_value : buffering<P> {
    void run(int thread) {
        if (thread == 1) {
            this->x.store(7, relaxed);
            return this->answer(2);
        }
        if (this->x.load(relaxed) != 7) this->y.store(1, relaxed);
    }
};

template <class P>
struct either_branch : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        if (this->x.load(relaxed) == 0) {  // NOLINT(bugprone-branch-clone): a compiler may make one of the two
            this->y.store(1, relaxed);
        } else {
            this->y.store(1, relaxed);
        }
    }
};

// Whether it succeeds is of no interest to what follows.
template <class P>
struct after_an_exchange : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        int expected = 2;
        this->x.compare_exchange_strong(expected, 3, relaxed);
        this->y.store(1, relaxed);
    }
};

template <class P>
struct by_an_exchange : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        int expected = 2;
        if (!this->x.compare_exchange_strong(expected, 3, relaxed)) this->y.store(1, relaxed);
    }
};

// The branch is by the second read alone.
template <class P>
struct by_the_next_read : buffering<P> {
    void run(int thread) {
        if (thread == 1) {
            this->z.store(1, relaxed);
            return this->answer(2);
        }
        this->seen = this->x.load(relaxed);
        if (this->z.load(relaxed) == 1) this->y.store(1, relaxed);
    }
};

template <class P>
struct through_memory : buffering<P> {
    typename P::template cell<int> kept{0};
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        kept.write() = this->x.load(relaxed);
        this->z.store(kept.read(), relaxed);
        if (this->z.load(relaxed) == 0) this->y.store(1, relaxed);
    }
};

// Locks and waits between: nobody can tell.
template <class P>
struct behind_a_wait : buffering<P> {
    void run(int thread) {
        if (thread == 1) {
            this->z.store(1, relaxed);
            this->z.notify_one();
            return this->answer(2);
        }
        this->seen = this->x.load(relaxed);
        this->z.wait(0, relaxed);
        this->y.store(1, relaxed);
    }
};

// It goes on for ever with what it would read.
template <class P>
struct by_an_endless_loop : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(2);
        const int read = this->x.load(relaxed);
        while (read == 2 && this->z.load(relaxed) == 0) P::yield();
        this->y.store(1, relaxed);
    }
};

// Where it depends on x, it does by a branch that this execution does not come to: z is read twice, first from its own store.
template <class P>
struct behind_an_own_read : buffering<P> {
    static constexpr auto threads = std::array{"one", "other", "third"};
    void run(int thread) {
        if (thread == 1) return this->answer(1);
        if (thread == 2) return this->z.store(7, relaxed);
        const int read = this->x.load(relaxed);
        this->z.store(5, relaxed);
        if (this->z.load(relaxed) == 7 && read == 1) return;
        if (this->z.load(relaxed) == 7) this->y.store(1, relaxed);
    }
};

// Where the exchange fails spuriously, nothing depends on x.
template <class P>
struct behind_a_failure : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(1);
        const int read = this->x.load(relaxed);
        int expected = 0;
        if (this->z.compare_exchange_weak(expected, 1, relaxed) && read == 1) return;
        this->y.store(1, relaxed);
    }
};

// What only a check asks is no branch of the program.
template <class P>
struct behind_a_requirement : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(1);
        require(this->x.load(relaxed) == 0);
        this->y.store(1, relaxed);
    }
};

template <class P>
struct behind_a_yield : buffering<P> {
    void run(int thread) {
        if (thread == 1) return this->answer(1);
        if (this->x.load(relaxed) == 1) P::yield();
        this->y.store(1, relaxed);
    }
};

template <template <class> class Scenario>
std::string named() {
    search_options how = full_search();
    how.model = memory_model::rc11;
    const search_result result = search(make_scenario<Scenario>("buffering"), how, "graph");
    CHECK(result.verdict != verdict::violated);
    CHECK((result.verdict == verdict::held) == !has_limit(result, "load-buffering"));
    if (has_limit(result, "load-buffering")) return "named";
    return has_limit(result, "load-buffering-by-letter") ? "by letter" : "none";
}

}  // namespace

TEST_CASE("A later store that depends on what was read is made before it by the letter alone") {
    CHECK(named<by_value>() == "by letter");
    CHECK(named<by_address>() == "by letter");
    CHECK(named<by_branch>() == "by letter");
    CHECK(named<by_an_exchange>() == "by letter");
    CHECK(named<through_memory>() == "by letter");
    CHECK(named<behind_a_branch>() == "by letter");
    CHECK(named<by_another_value>() == "by letter");
    CHECK(named<by_an_endless_loop>() == "by letter");
}

TEST_CASE("A later store that only seems to depend on what was read may be made before it") {
    CHECK(named<by_no_value>() == "named");
    CHECK(named<either_branch>() == "named");
    CHECK(named<after_an_exchange>() == "named");
    CHECK(named<by_the_next_read>() == "named");
    CHECK(named<behind_a_wait>() == "named");
    CHECK(named<behind_an_own_read>() == "named");
    CHECK(named<behind_a_failure>() == "named");
    CHECK(named<behind_a_requirement>() == "named");
    CHECK(named<behind_a_yield>() == "named");
}

}  // namespace ordeal::model_tests
