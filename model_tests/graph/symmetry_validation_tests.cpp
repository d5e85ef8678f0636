// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that a scenario declares interchangeable, and whether they are.
#include "model_tests/graph/graph_search.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <class P>
struct stores_its_number {
    static constexpr auto threads = std::array{"one", "other"};
    static constexpr auto interchangeable = std::array{0, 1};
    atomic_int<P> last{0};

    void run(int thread) { last.store(thread + 1, std::memory_order_relaxed); }
    [[nodiscard]] std::string outcome() const { return std::to_string(last.load()); }
};

template <class P>
struct does_something_else {
    static constexpr auto threads = std::array{"loads", "stores"};
    static constexpr auto interchangeable = std::array{0, 1};
    atomic_int<P> value{0};

    void run(int thread) {
        if (thread == 0) (void)value.load(std::memory_order_relaxed);
        if (thread == 1) value.store(1, std::memory_order_relaxed);
    }
};

template <class P>
struct has_another_order {
    static constexpr auto threads = std::array{"relaxed", "release"};
    static constexpr auto interchangeable = std::array{0, 1};
    atomic_int<P> value{0};

    void run(int thread) { value.store(1, thread == 0 ? std::memory_order_relaxed : std::memory_order_release); }
};

// Of three that take numbers, one differs in what it does with the last.
template <class P>
struct differs_in_one_case {
    static constexpr auto threads = std::array{"takes", "takes", "takes"};
    static constexpr auto interchangeable = std::array{0, 1, 2};
    atomic_int<P> next{0};
    atomic_int<P> rest{0};

    void run(int thread) {
        const int number = next.fetch_add(1, std::memory_order_relaxed);
        if (number == 2 && thread == 0) rest.store(1, std::memory_order_relaxed);
    }
};

// What differs is only seen by finish(): in order, the first to come is thread 0.
template <class P>
struct is_wrong_for_one_of_them {
    static constexpr auto threads = std::array{"takes", "takes"};
    static constexpr auto interchangeable = std::array{0, 1};
    atomic_int<P> next{0};
    std::array<int, 2> taken{};

    void run(int thread) { taken[static_cast<std::size_t>(thread)] = next.fetch_add(1, std::memory_order_relaxed); }
    void finish() { require(taken[0] == 0, "the first thread is the first"); }
};

template <class P>
struct takes_numbers {
    static constexpr auto threads = std::array{"takes", "takes", "takes"};
    static constexpr auto interchangeable = std::array{0, 1, 2};
    atomic_int<P> next{0};
    std::array<int, 3> taken{};

    void run(int thread) { taken[static_cast<std::size_t>(thread)] = next.fetch_add(1, std::memory_order_relaxed); }
    void finish() { require(taken[0] + taken[1] + taken[2] == 3, "each number is taken once"); }
};

template <template <class> class Scenario>
std::string message_about() {
    const search_result result = graph_search(detail::describe<Scenario>("declared interchangeable"));
    CHECK(to_string(result.verdict) == to_string(verdict::inconclusive));
    CAPTURE(result.message);
    CHECK(result.message.find("are declared interchangeable, and are not: ") != std::string::npos);
    return result.message;
}

}  // namespace

TEST_CASE("Threads that are declared interchangeable, and are not, are no verdict") {
    CHECK(message_about<stores_its_number>() ==
          "threads 0 and 1 are declared interchangeable, and are not: "
          "exchanged, one execution has the outcome \"1\" instead of \"2\"");
    const std::string departs = message_about<does_something_else>();
    CAPTURE(departs);
    CHECK(departs.find("in the part of another, thread 0 (loads) does something else at ") != std::string::npos);
    CHECK(departs.find("symmetry_validation_tests.cpp:") != std::string::npos);
    message_about<has_another_order>();
    CHECK(message_about<differs_in_one_case>().find("threads 0, 1 and 2") != std::string::npos);
}

TEST_CASE("What is wrong for one of the threads that are declared interchangeable is shown") {
    check_violated(detail::describe<is_wrong_for_one_of_them>("wrong for one"), violation_kind::failed_requirement);
}

TEST_CASE("Threads that are interchangeable, and declared so, hold") {
    CHECK(check_held(detail::describe<takes_numbers>("takes numbers"), {}).executions == 1);
}

TEST_CASE("Without symmetry every execution is explored, whatever is declared") {
    search_options how = full_search();
    how.reductions.symmetry = false;
    CHECK(check_held(detail::describe<takes_numbers>("takes numbers"), {}, how).executions == 6);
    CHECK(check_held(detail::describe<stores_its_number>("stores its number"), {"1", "2"}, how).executions == 2);
}

}  // namespace ordeal::model_tests
