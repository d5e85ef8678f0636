// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "left_right.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <string>

namespace examples {
namespace {

/// Two halves that change together.
struct pair {
    int first = 0;
    int second = 0;

    void count() {
        ++first;
        ++second;
    }
};

int read(const left_right<pair>& shared) {
    return shared.read([](const pair& seen) {
        ordeal::require(seen.first == seen.second, "a reader never sees half of a change");
        return seen.first;
    });
}
void write(left_right<pair>& shared) {
    shared.write([](pair& copy) { copy.count(); });
}

struct one_reader {
    static constexpr auto about =
        "A reader looks twice while a writer changes: nothing is half, and nothing goes back.";
    static constexpr auto threads = std::array{"writer", "reader"};
    left_right<pair> shared{pair{}};

    void run(int thread) {
        if (thread == 0) {
            write(shared);
        } else {
            const int before = read(shared);
            ordeal::require(read(shared) >= before, "what was seen stays");
        }
    }
    void finish() const { ordeal::require(read(shared) == 1); }
};
ORDEAL_SCENARIO("left_right/one_reader", one_reader);

struct two_writes {
    static constexpr auto about = "A reader looks once while a writer changes twice: each copy is used again.";
    static constexpr auto threads = std::array{"writer", "reader"};
    left_right<pair> shared{pair{}};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            write(shared);
            write(shared);
        } else {
            seen = read(shared);
        }
    }
    void finish() const { ordeal::require(read(shared) == 2); }
    [[nodiscard]] int outcome() const { return seen; }
};
ORDEAL_SCENARIO("left_right/two_writes", two_writes);

struct two_writers {
    static constexpr auto about = "Two writers take turns while a reader looks.";
    static constexpr auto threads = std::array{"reader", "writer", "writer"};
    static constexpr auto interchangeable = std::array{1, 2};
    left_right<pair> shared{pair{}};

    void run(int thread) {
        if (thread == 0) {
            read(shared);
        } else {
            write(shared);
        }
    }
    void finish() const { ordeal::require(read(shared) == 2, "no change is lost"); }
};
ORDEAL_SCENARIO("left_right/two_writers", two_writers);

}  // namespace
}  // namespace examples
