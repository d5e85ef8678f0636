// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of atomic objects, and what is done with them.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <cstdint>
#include <limits>

namespace ordeal::model_tests {

namespace {

// The largest value that anybody has seen.
template <bool Exchanges>
struct maximum {
    static constexpr auto threads = std::array{"sees", "sees"};
    std::atomic<int> largest{0};

    void run(int thread) {
        const int value = thread + 1;
        int seen = largest.load(relaxed);
        if constexpr (Exchanges) {
            while (seen < value && !largest.compare_exchange_weak(seen, value, relaxed)) {
            }
        } else if (seen < value) {
            largest.store(value, relaxed);
        }
    }
    void finish() const { require(largest.load() == 2, "the larger one is lost"); }
};

template <bool One>
struct counted {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::atomic<int> count{0};

    void run(int /*thread*/) {
        if constexpr (One) {
            count.fetch_add(1, relaxed);
        } else {
            count.store(count.load(relaxed) + 1, relaxed);
        }
    }
    void finish() const { require(count.load() == 2); }
};

// Both sides must go through the reference.
template <bool Both>
struct referred_to {
    static constexpr auto threads = std::array{"counts", "counts"};
    alignas(std::atomic_ref<int>::required_alignment) int count = 0;

    void run(int thread) {
        if (Both || thread == 0) {
            std::atomic_ref(count).fetch_add(1, relaxed);
        } else {
            ++count;
        }
    }
    void finish() const { require(count == 2); }
};

template <class Number>
struct sum_of {
    static constexpr auto threads = std::array{"adds", "adds"};
    std::atomic<Number> sum{Number{}};

    void run(int thread) { sum.fetch_add(static_cast<Number>(thread + 1)); }
    void finish() const { require(sum.load() == static_cast<Number>(3)); }
};

struct point {
    std::int32_t x = 0;
    std::int32_t y = 0;
    bool operator==(const point&) const = default;
};

// Two halves that belong together.
struct pair_in_one_word {
    static constexpr auto threads = std::array{"moves", "moves", "looks"};
    static constexpr auto interchangeable = std::array{0, 1};
    std::atomic<point> where;

    void run(int thread) {
        point seen = where.load();
        if (thread == 2) return require(seen.x == seen.y);
        while (!where.compare_exchange_weak(seen, {seen.x + 1, seen.y + 1})) {
        }
    }
    void finish() const { require(where.load() == point{2, 2}); }
};

// Atomics of one byte in one word.
struct neighbours {
    static constexpr auto threads = std::array{"first", "second"};
    std::atomic<bool> ready{false};
    std::atomic<char> letter{'a'};
    char plain = 'b';
    std::atomic<std::uint16_t> half{std::numeric_limits<std::uint16_t>::max()};

    void run(int thread) {
        if (thread == 0) {
            plain = 'c';
            half.fetch_add(1, relaxed);
            ready.store(true, std::memory_order_release);
        } else {
            letter.exchange('z', relaxed);
            if (ready.load(std::memory_order_acquire)) require(plain == 'c' && half.load(relaxed) == 0);
        }
    }
    void finish() const { require(ready.load() && letter.load() == 'z' && plain == 'c' && half.load() == 0); }
};

struct moves_through_array {
    static constexpr auto threads = std::array{"takes", "takes"};
    std::array<int, 3> values{1, 2, 3};
    std::atomic<const int*> next{values.data()};
    std::array<int, 2> taken{};

    void run(int thread) { taken[static_cast<std::size_t>(thread)] = *next.fetch_add(1, relaxed); }
    void finish() const {
        require(taken[0] + taken[1] == 3);
        require(next.load() == values.data() + 2);
    }
};

// Bits that are set, cleared and turned by different threads.
struct bits {
    static constexpr auto threads = std::array{"sets", "clears", "turns"};
    std::atomic<unsigned> word{0b0110};

    void run(int thread) {
        if (thread == 0) word |= 0b1000;
        if (thread == 1) word &= ~0b0010U;
        if (thread == 2) word ^= 0b0001;
    }
    void finish() const { require(word == 0b1101); }
};

// volatile is no atomic.
struct volatile_flag {
    static constexpr auto threads = std::array{"sets", "looks"};
    volatile bool flag = false;
    int data = 0;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            flag = true;
        } else if (flag) {
            seen = data;
        }
    }
};

template <class Program>
using loses = wrong<Program, violation_kind::failed_requirement>;

ORDEAL_SCENARIO("programs/atomic_maximum", maximum<true>);
ORDEAL_SCENARIO("programs/atomic_maximum_stored", loses<maximum<false>>);
ORDEAL_SCENARIO("programs/atomic_count", counted<true>);
ORDEAL_SCENARIO("programs/atomic_count_in_two_steps", loses<counted<false>>);
ORDEAL_SCENARIO("programs/atomic_ref", referred_to<true>);
ORDEAL_SCENARIO("programs/atomic_ref_for_one", wrong<referred_to<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/atomic_double", sum_of<double>);
ORDEAL_SCENARIO("programs/atomic_float", sum_of<float>);
ORDEAL_SCENARIO("programs/atomic_long", sum_of<std::int64_t>);
ORDEAL_SCENARIO("programs/atomic_struct", pair_in_one_word);
ORDEAL_SCENARIO("programs/atomic_neighbours", neighbours);
ORDEAL_SCENARIO("programs/atomic_pointer", moves_through_array);
ORDEAL_SCENARIO("programs/atomic_bits", bits);
ORDEAL_SCENARIO("programs/volatile_flag", wrong<volatile_flag, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
