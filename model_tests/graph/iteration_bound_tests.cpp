// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count, wherever they keep the count: each iteration is another state, and every way out of them must be
// found.
#include "model_tests/graph/graph_search.hpp"

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace ordeal::model_tests {

namespace {

constexpr int iterations = 6;

// What comes between two looks at the flag: an operation of the model that another thread cannot see, or none.
enum class between : std::uint8_t { nothing, yield, fence, load, cell };

// How the loop of a thread looks at a flag, and what it does in each iteration besides counting.
template <class P>
struct flagged {
    typename P::template atomic<int> flag{0};
    typename P::template atomic<int> other{0};
    typename P::template cell<int> plain{0};
    int result = -1;

    bool raised() { return flag.load(relaxed) != 0; }
    template <between What>
    void pause() {
        if constexpr (What == between::yield) P::yield();
        if constexpr (What == between::fence) P::fence(acquire);
        if constexpr (What == between::load) (void)other.load(relaxed);
        if constexpr (What == between::cell) (void)plain.read();
    }
    void raise() {
        other.store(1, relaxed);
        flag.store(1, relaxed);
    }
    // The iteration in which the flag was seen, or the number of iterations.
    [[nodiscard]] std::string outcome() const { return values(result); }
};

// Looks at two flags from one place until one is raised, and counts.
template <class P>
struct counts_looks {
    static constexpr auto threads = two_threads;
    std::array<typename P::template atomic<int>, 2> flags{};
    std::size_t count = 0;

    void run(int thread) {
        if (thread == 1) return flags[1].store(1, relaxed);
        while (flags[count % 2].load(relaxed) == 0) ++count;
    }
    [[nodiscard]] std::string outcome() const { return values(static_cast<int>(count % 2)); }
};

template <between What>
struct in_a_register {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            if (thread == 0) return this->raise();
            int count = 0;
            while (count < iterations && !this->raised()) {
                ++count;
                this->template pause<What>();
            }
            this->result = count;
        }
    };
};

template <between What>
struct in_the_scenario {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        int count = 0;
        void run(int thread) {
            if (thread == 0) return this->raise();
            while (!this->raised()) {
                this->template pause<What>();
                if (++count == iterations) break;
            }
            this->result = count;
        }
    };
};

// As above, but counted between the look at the flag and the pause.
template <between What>
struct counted_first {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        int count = 0;
        void run(int thread) {
            if (thread == 0) return this->raise();
            while (!this->raised()) {
                if (++count == iterations) break;
                this->template pause<What>();
            }
            this->result = count;
        }
    };
};

template <between What>
struct on_the_heap {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        std::unique_ptr<int> count;  // a member, or the compiler would do without the heap
        void run(int thread) {
            if (thread == 0) return this->raise();
            count = std::make_unique<int>(0);
            while (!this->raised()) {
                this->template pause<What>();
                if (++*count == iterations) break;
            }
            this->result = *count;
        }
    };
};

template <between What>
struct on_the_stack {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            if (thread == 0) return this->raise();
            volatile int count = 0;
            while (!this->raised()) {
                this->template pause<What>();
                count = count + 1;
                if (count == iterations) break;
            }
            this->result = count;
        }
    };
};

// A coroutine that suspends in each iteration; the thread resumes it.
template <class P>
struct resumable {
    struct promise_type {
        resumable get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::abort(); }
    };
    std::coroutine_handle<promise_type> handle;
};

template <between What>
struct in_a_frame {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        std::coroutine_handle<> loop;  // a member, or the compiler would put the frame on the stack
        void run(int thread) {
            if (thread == 0) return this->raise();
            loop = look().handle;
            while (!loop.done()) loop.resume();
            loop.destroy();
        }
        resumable<P> look() {
            volatile int count = 0;  // volatile, or it would be in a register in between
            while (!this->raised()) {
                this->template pause<What>();
                count = count + 1;
                if (count == iterations) break;
                co_await std::suspend_always();
            }
            this->result = count;
        }
    };
};

// Counts how often the other atomic has changed, and iterations in which it has not leave no trace.
template <class P>
struct counts_changes {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> flag{0};
    typename P::template atomic<int> other{0};
    int last = 0;
    int count = 0;

    void run(int thread) {
        if (thread == 0) {
            for (int value = 1; value <= iterations; ++value) other.store(value, relaxed);
            flag.store(1, relaxed);
            return;
        }
        while (flag.load(relaxed) == 0 && count < iterations) {
            const int now = other.load(relaxed);
            if (now != last) ++count;
            last = now;
        }
    }
    [[nodiscard]] std::string outcome() const { return values(count); }
};

// Looks into another slot in each iteration, which is no other operation of the same object.
template <class P>
struct scans_slots {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> flag{0};
    std::array<typename P::template atomic<int>, iterations> slots{};
    std::size_t next = 0;

    void run(int thread) {
        if (thread == 0) return flag.store(1, relaxed);
        while (flag.load(relaxed) == 0 && next < slots.size()) look();
    }
    // Apart, or the compiler would keep the address in the frame of the loop.
    [[gnu::noinline]] void look() {
        (void)slots[next].load(relaxed);
        ++next;
    }
    [[nodiscard]] std::string outcome() const { return values(static_cast<int>(next)); }
};

// Reads three times and remembers each value.
template <class P>
struct remembers_each_iteration {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    std::array<int, 3> seen{};

    void run(int thread) {
        if (thread == 0) {
            x.store(1, relaxed);
            x.store(2, relaxed);
        } else {
            for (int& each : seen) each = x.load(relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(seen[0], seen[1], seen[2]); }
};

// Sees the flag after so many iterations, or gives up.
const outcome_set any_turn{"0", "1", "2", "3", "4", "5", "6"};

template <template <between> class Loop>
void check_any_turn(std::string_view name) {
    CAPTURE(name);
    check_held(make_scenario<Loop<between::nothing>::template test>("no operation between"), any_turn);
    check_held(make_scenario<Loop<between::yield>::template test>("a yield between"), any_turn);
    check_held(make_scenario<Loop<between::fence>::template test>("a fence between"), any_turn);
    check_held(make_scenario<Loop<between::load>::template test>("a load between"), any_turn);
    check_held(make_scenario<Loop<between::cell>::template test>("a read of plain data between"), any_turn);
}

}  // namespace

TEST_CASE("A loop that gives up after some iterations, counted in a register, has every outcome") {
    check_any_turn<in_a_register>("in a register");
}

TEST_CASE("A loop that gives up after some iterations, counted in a member, has every outcome") {
    check_any_turn<in_the_scenario>("in the scenario");
    check_any_turn<counted_first>("in the scenario, before the pause");
}

TEST_CASE("A loop that gives up after some iterations, counted on the heap, has every outcome") {
    check_any_turn<on_the_heap>("on the heap");
}

TEST_CASE("A loop that gives up after some iterations, counted on the stack, has every outcome") {
    check_any_turn<on_the_stack>("on the stack");
}

TEST_CASE("A loop that gives up after some iterations, counted in a coroutine frame, has every outcome") {
    check_any_turn<in_a_frame>("in a frame");
}

TEST_CASE("A loop that remembers what it read has every combination of that") {
    check_held(make_scenario<remembers_each_iteration>("remembers each iteration"),
               {"0,0,0", "0,0,1", "0,0,2", "0,1,1", "0,1,2", "0,2,2", "1,1,1", "1,1,2", "1,2,2", "2,2,2"});
    check_held(make_scenario<counts_changes>("counts changes"), any_turn);
    check_held(make_scenario<scans_slots>("scans slots"), any_turn);
}

TEST_CASE(
    "A loop that counts its looks at two flags from one place is followed for some iterations, and the limit says so") {
    check_held_within(make_scenario<counts_looks>("counts looks"),
                      "a loop changes its state in each iteration, so only 32 iterations were explored", {"1"});
}

}  // namespace ordeal::model_tests
