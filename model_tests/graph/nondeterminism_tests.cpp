// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that does not do the same when it reads the same: what it does depends on how many executions there were before.
#include "model_tests/graph/graph_search.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

int executions_so_far = 0;

enum class change : std::uint8_t {
    nothing,
    fewer_operations,
    no_operations,
    more_operations,
    another_operation,
    another_object,
    another_value,
    another_operand,
    store_instead,
    fence_instead,
    another_success,
    verdict,
    exception,
    outcome,
};

// Which executions differ from those before: every other one, or one in three.
enum class when : std::uint8_t { every_other, one_in_three };

template <change What, when How>
struct nondeterministic {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        typename P::template atomic<int> y{0};
        int number = 0;

        void run(int thread) {
            if (thread == 1) {
                x.fetch_add(1, relaxed);
                x.store(7, relaxed);
                return;
            }
            number = ++executions_so_far;
            const bool differs = How == when::every_other ? number % 2 != 0 : number % 3 == 0;
            if (What == change::no_operations && differs) return;
            begin(differs);
            if (What == change::verdict) require(!differs, "the third time");
            if (What == change::exception && differs) throw std::runtime_error("the third time");
            if (What == change::fewer_operations && differs) return;
            x.fetch_add(1, relaxed);
            if (What == change::more_operations && differs) x.fetch_add(1, relaxed);
        }

        void begin(bool differs) {
            auto& target = What == change::another_object && differs ? y : x;
            if (What == change::another_operation && differs) {
                (void)target.load(relaxed);
            } else if (What == change::store_instead && differs) {
                target.store(1, relaxed);
            } else if (What == change::fence_instead && differs) {
                P::fence(seq_cst);
            } else if (What == change::another_value) {
                target.store(differs ? 1 : 2, relaxed);
            } else if (What == change::another_success) {
                int expected = differs ? 0 : 100;
                (void)target.compare_exchange_strong(expected, 1, relaxed, relaxed);
            } else {
                target.fetch_add(What == change::another_operand && differs ? 2 : 1, relaxed);
            }
        }
        [[nodiscard]] std::string outcome() const {
            return What == change::outcome ? values(number) : std::string("ended");
        }
    };
};

// A place that is made the first time only, as a function's static is.
template <class P>
struct initialises_once {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    static inline bool initialised = false;

    void run(int) {
        if (!initialised) x.fetch_add(1, relaxed);
        initialised = true;
        x.fetch_add(1, relaxed);
    }
};

// A block more of the heap's, and so other addresses after it: no operation and no value differs.
template <class P>
struct allocates_more_and_more {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        std::unique_ptr<int> more;
        if (thread == 0 && ++executions_so_far % 2 == 0) more = std::make_unique<int>(1);
        x.fetch_add(1, relaxed);
        x.fetch_add(1, relaxed);
    }
};

// Stores another value in each execution.
template <class P>
struct publishes_a_count {
    static constexpr auto threads = two_threads;
    typename P::template atomic<std::uint64_t> x{0};

    void run(int thread) {
        if (thread == 0) {
            x.store(static_cast<std::uint64_t>(++executions_so_far), relaxed);
            x.store(0, relaxed);
        } else {
            (void)x.load(relaxed);
            (void)x.load(relaxed);
        }
    }
};

// In all executions from some number on: in what is run again for each of them, and before that.
template <bool AtTheBeginning>
struct changes_late {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"first", "second", "last"};
        static inline int ended = 0;
        typename P::template atomic<int> x{0};

        void run(int thread) {
            const int now = ended < 80 ? 1 : 2;
            if (thread == 2) {
                (void)x.load(relaxed);
                (void)x.load(relaxed);
                ++ended;
                if (!AtTheBeginning) x.store(ended <= 80 ? 1 : 2, relaxed);
            } else {
                x.store(AtTheBeginning ? now : 3, relaxed);
                x.store(4, relaxed);
            }
        }
    };
};

void check_reported(const scenario& what) {
    const search_result result = graph_search(what);
    CAPTURE(what.name, result.message, result.executions);
    REQUIRE(result.kind.has_value());
    CHECK(to_string(*result.kind) == to_string(violation_kind::nondeterminism));
    CHECK_FALSE(result.message.empty());
}

template <change What>
void check_both(const std::string& name) {
    check_reported(make_scenario<nondeterministic<What, when::every_other>::template test>(name + ", every other"));
    check_reported(make_scenario<nondeterministic<What, when::one_in_three>::template test>(name + ", one in three"));
}

template <change What>
scenario control() {
    return make_scenario<nondeterministic<What, when::every_other>::template test>("control");
}

}  // namespace

TEST_CASE("Code that does other operations the next time is reported as nondeterministic") {
    check_both<change::fewer_operations>("fewer operations");
    check_reported(make_scenario<nondeterministic<change::no_operations, when::one_in_three>::test>("no operations"));
    // One in three is not enough here: what comes at the end of an execution is seen when another one goes on from it.
    check_reported(make_scenario<nondeterministic<change::more_operations, when::every_other>::test>("more"));
    check_both<change::another_operation>("another operation");
    check_both<change::store_instead>("a store instead");
    check_both<change::fence_instead>("a fence instead");
    check_both<change::another_object>("another object");
    check_reported(make_scenario<initialises_once>("initialises once"));
}

TEST_CASE("Code that writes another value the next time is reported as nondeterministic") {
    check_both<change::another_value>("another value");
    check_both<change::another_operand>("another operand");
    check_both<change::another_success>("another success");
    check_reported(make_scenario<publishes_a_count>("publishes a count"));
}

TEST_CASE("Code that is violated once and not again is reported as nondeterministic") {
    check_both<change::verdict>("verdict");
    check_both<change::exception>("exception");
}

TEST_CASE("Code that does something else from its eightieth execution on is not said to hold") {
    check_reported(make_scenario<changes_late<true>::test>("at the beginning"));
    check_reported(make_scenario<changes_late<false>::test>("at the end"));
}

TEST_CASE("Code that does the same is not reported, nor is what no operation shows") {
    check_held(control<change::nothing>(), {"ended"});
    CHECK(graph_search(control<change::outcome>()).verdict == verdict::held);
    CHECK(graph_search(make_scenario<allocates_more_and_more>("allocates")).verdict == verdict::held);
    // Without the operations of the one thread there is but one execution, and nothing is run twice.
    CHECK(graph_search(control<change::no_operations>()).executions == 1);
}

}  // namespace ordeal::model_tests
