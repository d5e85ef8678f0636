// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that compilers do not tell of by themselves, and one that they make up: what counts is what the source says.
#include "programs.hpp"

#include <algorithm>
#include <numeric>

namespace ordeal::model_tests {

namespace {

struct point {
    long x, y, z;
};
struct colour {
    unsigned char red, green, blue;
};
struct header {
    unsigned length : 17, kind : 7;
    unsigned char sum;
};

[[gnu::noinline]] long norm(point of) { return of.x + of.y + of.z; }
[[gnu::noinline]] colour grey(unsigned char value) { return {value, value, value}; }

struct passed_by_value {
    static constexpr auto threads = std::array{"writes", "passes"};
    point shared{};
    long result = 0;

    void run(int thread) {
        if (thread == 0) {
            shared.x = 1;
        } else {
            result = norm(shared);
        }
    }
};

struct three_bytes {
    static constexpr auto threads = std::array{"writes", "reads"};
    colour shared{};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            shared = grey(1);
        } else {
            seen = shared.green;
        }
    }
};

struct unit_of_24_bits {
    static constexpr auto threads = std::array{"length", "kind"};
    header shared{};

    void run(int thread) {
        if (thread == 0) {
            shared.length = 1;
        } else {
            shared.kind = 1;
        }
    }
};

struct long_doubles {
    static constexpr auto threads = std::array{"writes", "writes"};
    long double shared = 0;

    void run(int thread) { shared = thread; }
};

struct filled {
    static constexpr auto threads = std::array{"fills", "sums"};
    std::array<int, 64> shared{};
    int sum = 0;

    void run(int thread) {
        if (thread == 0) {
            std::fill(shared.begin(), shared.end(), 7);
        } else {
            sum = std::accumulate(shared.begin() + 40, shared.end(), 0);
        }
    }
};

struct opted_out {
    static constexpr auto threads = std::array{"first", "second"};
    int shared = 0;

    __attribute__((no_sanitize("thread"))) void run(int /*thread*/) { shared = 1; }
};

ORDEAL_SCENARIO("programs/access_passed_by_value", wrong<passed_by_value, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/access_to_three_bytes", wrong<three_bytes, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/access_to_unit_of_24_bits", wrong<unit_of_24_bits, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/access_to_long_double", wrong<long_doubles, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/access_by_vectors", wrong<filled, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/access_of_function_that_opted_out", wrong<opted_out, violation_kind::data_race>);

// g++ optimises first.
#ifdef __clang__

// Nobody uses the value.
struct read_in_vain {
    static constexpr auto threads = std::array{"writes", "reads"};
    int shared = 0;

    void run(int thread) {
        if (thread == 0) {
            shared = 1;
        } else {
            [[maybe_unused]] const int value = shared;
        }
    }
};

// One arm of the conditional alone is read, though both could be.
struct one_arm {
    static constexpr auto threads = std::array{"reads", "writes"};
    struct pair {
        long first, second;
    };
    pair left{}, right{};
    std::atomic<int> which{0};
    bool equal = true;

    void run(int thread) {
        if (thread == 0) {
            const pair& chosen = which.load(relaxed) == 0 ? left : right;
            equal = chosen.first == chosen.second;
        } else if (which.load(relaxed) == 0) {
            right.first = right.second = 1;
        }
    }
    void finish() { require(equal); }
};

ORDEAL_SCENARIO("programs/access_in_vain", wrong<read_in_vain, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/access_to_one_arm", one_arm);

#endif

}  // namespace

}  // namespace ordeal::model_tests
