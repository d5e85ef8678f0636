// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait: another iteration with the same reads is no other execution, so that a search over them ends.
#include "model_tests/graph/graph_search.hpp"

#include "ordeal/coro/detached.hpp"

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// One thread writes data and raises a flag; the other waits for the flag in a loop, and reads the data.
template <bool Yielding, std::memory_order Store, std::memory_order Load>
struct awaits_flag {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> flag{0};
        typename P::template cell<int> data{0};
        int seen = -1;

        void run(int thread) {
            if (thread == 0) {
                data.write() = 1;
                flag.store(1, Store);
            } else {
                while (flag.load(Load) == 0) {
                    if constexpr (Yielding) P::yield();
                }
                seen = data.read();
            }
        }
        [[nodiscard]] std::string outcome() const { return values(seen); }
    };
};

// The same with the threads the other way round: the waiting thread goes first.
template <class P>
struct awaits_before_raising : awaits_flag<false, release, acquire>::template test<P> {
    void run(int thread) { awaits_flag<false, release, acquire>::template test<P>::run(1 - thread); }
};

// One thread waits for two flags that two others raise. One of those writes data in between, which nobody reads yet.
template <int Waits, bool Writes>
struct awaits_two_while_one_writes {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"a", "b", "c"};
        typename P::template atomic<int> first{0};
        typename P::template atomic<int> second{0};
        typename P::template cell<int> data{0};

        void run(int thread) {
            if (thread == Waits) {
                while (first.load(acquire) == 0 || second.load(acquire) == 0) {
                }
            } else if (thread == (Waits + 1) % 3) {
                for (const int value : {1, 2}) {
                    if (Writes) data.write() = value;
                    first.store(value, release);
                }
            } else {
                second.store(1, release);
            }
        }
    };
};

template <int Waits>
void check_writes_make_no_turns() {
    const search_result with =
        graph_search(make_scenario<awaits_two_while_one_writes<Waits, true>::template test>("writes"));
    const search_result without =
        graph_search(make_scenario<awaits_two_while_one_writes<Waits, false>::template test>("does not write"));
    CHECK(with.verdict == verdict::held);
    CHECK(with.executions == without.executions);
    CHECK(with.blocked == without.blocked);
}

// The flag goes through values that all keep the loop going before it gets to the one that does not.
template <class P>
struct awaits_last_of_many {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> flag{0};
    int seen = -1;

    void run(int thread) {
        if (thread == 0) {
            for (const int value : {1, 2, 0, 1, 3}) flag.store(value, release);
        } else {
            while ((seen = flag.load(acquire)) != 3) {
            }
        }
    }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

// What the last iteration before the one that ended it saw stays visible, so every such iteration is another state.
template <class P>
struct remembers_what_it_saw {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> flag{0};
    int last = 0;

    void run(int thread) {
        if (thread == 0) {
            for (const int value : {1, 2, 3}) flag.store(value, release);
        } else {
            for (int now = 0; now != 3; now = flag.load(acquire)) last = now;
        }
    }
    [[nodiscard]] std::string outcome() const { return values(last); }
};

// Both flags are looked at in each iteration.
template <bool Yielding>
struct awaits_two_flags {
    template <class P>
    struct test {
        static constexpr auto threads = three_threads;
        typename P::template atomic<int> first{0};
        typename P::template atomic<int> second{0};
        typename P::template cell<int> left{0};
        typename P::template cell<int> right{0};
        int seen = -1;

        void run(int thread) {
            if (thread == 0) {
                left.write() = 1;
                first.store(1, release);
            } else if (thread == 1) {
                right.write() = 2;
                second.store(1, release);
            } else {
                while (first.load(acquire) == 0 || second.load(acquire) == 0) {
                    if constexpr (Yielding) P::yield();
                }
                seen = left.read() + right.read();
            }
        }
        [[nodiscard]] std::string outcome() const { return values(seen); }
    };
};

// Whichever flag comes first; relaxed, so both may be seen in either order.
template <class P>
struct awaits_one_of_two {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> first{0};
    typename P::template atomic<int> second{0};
    std::string by;

    void run(int thread) {
        if (thread == 0) {
            first.store(1, relaxed);
        } else if (thread == 1) {
            second.store(1, relaxed);
        } else {
            int left = 0;
            int right = 0;
            while (left == 0 && right == 0) {
                left = first.load(relaxed);
                right = second.load(relaxed);
            }
            by = values(left, right);
        }
    }
    [[nodiscard]] std::string outcome() const { return by; }
};

// Two threads, each waiting for the other in the middle.
template <class P>
struct rendezvous {
    static constexpr auto threads = two_threads;
    std::array<typename P::template atomic<int>, 2> there{};
    std::array<typename P::template cell<int>, 2> data;
    std::array<int, 2> seen{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        data[me].write() = thread + 1;
        there[me].store(1, release);
        while (there[1 - me].load(acquire) == 0) {
        }
        seen[me] = data[1 - me].read();
    }
    [[nodiscard]] std::string outcome() const { return values(seen[0], seen[1]); }
};

// Thread 0 answers every question of thread 1: a loop that goes through several states, each awaited.
template <class P>
struct ping_pong {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> turn{0};
    typename P::template cell<int> data{0};
    int last = 0;

    void run(int thread) {
        for (int round = 0; round < 3; ++round) {
            while (turn.load(acquire) != 2 * round + thread) {
            }
            ++data.write();
            turn.store(2 * round + thread + 1, release);
        }
    }
    void finish() { last = data.read(); }
    [[nodiscard]] std::string outcome() const { return values(last); }
};

// The wait needs a write that comes after its own thread's, in a thread that waits for that first.
template <class P>
struct handshake_through_one_atomic {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            while (x.load(acquire) != 1) {
            }
            x.store(2, release);
        } else {
            x.store(1, release);
            while ((seen = x.load(acquire)) == 1) {
            }
        }
    }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

// The loop of awaits_two_flags in a coroutine, between suspensions: what an operation is told lies in the frame then.
template <bool Yielding>
struct awaits_in_a_coroutine {
    template <class P>
    struct test {
        static constexpr auto threads = three_threads;
        typename P::template atomic<int> first{0};
        typename P::template atomic<int> second{0};
        std::coroutine_handle<> self;
        int rounds = 0;

        struct suspension {
            std::coroutine_handle<>* to;
            bool await_ready() { return false; }
            bool await_suspend(std::coroutine_handle<> suspended) {
                *to = suspended;
                return false;
            }
            void await_resume() {}
        };

        void run(int thread) {
            if (thread == 0) {
                first.store(1, release);
            } else if (thread == 1) {
                second.store(1, release);
            } else {
                wait_twice();
            }
        }
        detached wait_twice() {
            for (rounds = 0; rounds < 2; ++rounds) {
                co_await suspension{&self};
                while (first.load(acquire) == 0 || second.load(acquire) == 0) {
                    if constexpr (Yielding) P::yield();
                }
                co_await suspension{&self};
            }
        }
        [[nodiscard]] std::string outcome() const { return values(rounds); }
    };
};

// Whichever of many flags is raised, all of them looked at from one place; the last one is.
template <std::size_t Flags, bool Yielding>
struct awaits_any_of_many {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        std::array<typename P::template atomic<bool>, Flags> flags{};
        std::size_t found = 0;

        void run(int thread) {
            if (thread == 1) return flags[Flags - 1].store(true, release);
            found = find();
        }
        std::size_t find() {
            for (;;) {
                for (std::size_t i = 0; i < Flags; ++i) {
                    if (flags[i].load(acquire)) return i;
                }
                if constexpr (Yielding) P::yield();
            }
        }
        [[nodiscard]] std::string outcome() const { return values(static_cast<int>(found)); }
    };
};

// The same, but the loop keeps in a variable which flag is next, so that its state is back after two iterations.
template <class P>
struct awaits_in_turns : awaits_any_of_many<2, false>::template test<P> {
    void run(int thread) {
        if (thread == 1) return this->flags[1].store(true, release);
        std::size_t next = 0;
        while (!this->flags[next].load(acquire)) next = 1 - next;
        this->found = next;
    }
};

// Takes the first free one of two slots that are taken; the other thread gives one.
template <class P>
struct takes_free_slot {
    static constexpr auto threads = two_threads;
    std::array<typename P::template atomic<int>, 2> slots{};
    int taken = -1;

    takes_free_slot() {
        for (auto& each : slots) each.store(1, relaxed);
    }
    void run(int thread) {
        if (thread == 1) return slots[1].store(0, release);
        taken = take();
    }
    int take() {
        for (;;) {
            for (int i = 0; i < 2; ++i) {
                int expected = 0;
                if (slots[static_cast<std::size_t>(i)].compare_exchange_strong(expected, 2, acquire, relaxed)) return i;
            }
        }
    }
    [[nodiscard]] std::string outcome() const { return values(taken); }
};

// None of the flags that it looks at is ever raised.
template <class P>
struct awaits_any_of_none : awaits_any_of_many<3, false>::template test<P> {
    void run(int thread) {
        if (thread == 0) this->find();
    }
};

template <template <class> class Scenario>
void check_few(std::string_view name, const outcome_set& outcomes, std::uint64_t most) {
    const search_result result = check_held(make_scenario<Scenario>(name), outcomes);
    CAPTURE(name, result.blocked);
    CHECK(result.executions <= most);
}

}  // namespace

TEST_CASE("A loop that waits for a flag without a yield is searched whole, in a few executions") {
    check_few<awaits_flag<false, release, acquire>::test>("awaits a flag", {"1"}, 3);
    check_few<awaits_before_raising>("awaits a flag, first thread", {"1"}, 3);
    check_few<awaits_last_of_many>("awaits the last of many", {"3"}, 48);
    check_few<handshake_through_one_atomic>("handshake", {"2"}, 6);
    check_few<rendezvous>("rendezvous", {"2,1"}, 8);
    check_few<ping_pong>("ping pong", {"6"}, 64);
}

TEST_CASE("A loop that waits for a flag and yields is searched whole, in a few executions") {
    check_few<awaits_flag<true, release, acquire>::test>("awaits a flag, yielding", {"1"}, 3);
    check_few<awaits_two_flags<true>::test>("awaits two flags, yielding", {"3"}, 12);
}

TEST_CASE("A loop over two flags ends with every combination that it may see") {
    check_few<awaits_two_flags<false>::test>("awaits two flags", {"3"}, 12);
    check_few<awaits_one_of_two>("awaits one of two flags", {"0,1", "1,0", "1,1"}, 12);
}

TEST_CASE("A loop that polls several atomics from one place has come back when its state has") {
    check_few<awaits_any_of_many<2, false>::test>("any of two", {"1"}, 3);
    check_few<awaits_any_of_many<2, true>::test>("any of two, yielding", {"1"}, 3);
    check_few<awaits_any_of_many<80, false>::test>("any of eighty", {"79"}, 3);
    check_few<awaits_any_of_many<80, true>::test>("any of eighty, yielding", {"79"}, 3);
    check_few<awaits_in_turns>("in turns", {"1"}, 3);
    check_few<takes_free_slot>("free slot", {"1"}, 3);
}

TEST_CASE("An iteration is no other one because others write meanwhile") {
    check_writes_make_no_turns<0>();
    check_writes_make_no_turns<1>();
    check_writes_make_no_turns<2>();
}

TEST_CASE("A loop that polls several atomics for what never comes is a livelock that is seen at once") {
    const search_result result =
        check_violated(make_scenario<awaits_any_of_none>("any of none"), violation_kind::livelock);
    CHECK(result.message == "a loop never ends: no thread writes the value that it waits for");
    CHECK(result.trace.size() < 30);
}

TEST_CASE("A loop in a coroutine waits as one anywhere else") {
    check_few<awaits_in_a_coroutine<false>::test>("awaits in a coroutine", {"2"}, 12);
    check_few<awaits_in_a_coroutine<true>::test>("awaits in a coroutine, yielding", {"2"}, 12);
}

TEST_CASE("What a loop has read before its last iteration stays an outcome of its own") {
    check_few<remembers_what_it_saw>("remembers what it saw", {"0", "1", "2"}, 12);
}

TEST_CASE("A loop that waits with too weak an order is a data race, whether it yields or not") {
    check_violated(make_scenario<awaits_flag<false, relaxed, acquire>::test>("relaxed store"),
                   violation_kind::data_race);
    check_violated(make_scenario<awaits_flag<false, release, relaxed>::test>("relaxed load"),
                   violation_kind::data_race);
    check_violated(make_scenario<awaits_flag<true, release, relaxed>::test>("relaxed load, yielding"),
                   violation_kind::data_race);
}

}  // namespace ordeal::model_tests
