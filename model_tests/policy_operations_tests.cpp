// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/policy_operations.hpp"

#include "model_tests/support/search.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/policy/std_policy.hpp"
#include "ordeal/real/jitter_policy.hpp"
#include "ordeal/runtime/policy/model_policy.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <optional>

namespace {

using ordeal::jitter_policy;
using ordeal::model_policy;
using ordeal::std_policy;
namespace policy_operations = ordeal::policy_operations;

// Whether an expression is well-formed over an atomic of T. The operators that the other policies refuse are: they do not compile
// where they are used, with a message, which tests/coro/compile_errors.sh has.
template <class Atomic, class T>
struct offered {
    static constexpr bool difference = requires { typename Atomic::difference_type; };
    static constexpr bool fetch_add = requires(Atomic a) { a.fetch_add(1); };
    static constexpr bool fetch_add_ordered = requires(Atomic a) { a.fetch_add(1, std::memory_order_relaxed); };
    static constexpr bool fetch_sub = requires(Atomic a) { a.fetch_sub(1); };
    static constexpr bool fetch_sub_ordered = requires(Atomic a) { a.fetch_sub(1, std::memory_order_relaxed); };
    static constexpr bool fetch_and = requires(Atomic a, T value) { a.fetch_and(value); };
    static constexpr bool fetch_or = requires(Atomic a, T value) { a.fetch_or(value); };
    static constexpr bool fetch_xor = requires(Atomic a, T value) { a.fetch_xor(value); };
    static constexpr bool load = requires(const Atomic a) { a.load(std::memory_order_acquire); };
    static constexpr bool store = requires(Atomic a, T value) { a.store(value, std::memory_order_release); };
    static constexpr bool store_to_constant = requires(const Atomic a, T value) { a.store(value); };
    static constexpr bool exchange = requires(Atomic a, T value) { a.exchange(value); };
    static constexpr bool exchange_constant = requires(const Atomic a, T value) { a.exchange(value); };
    static constexpr bool weak = requires(Atomic a, T value) { a.compare_exchange_weak(value, value); };
    static constexpr bool strong = requires(Atomic a, T value) { a.compare_exchange_strong(value, value); };
    static constexpr bool expected_is_changed =
        requires(Atomic a, const T value) { a.compare_exchange_strong(value, value); };
    static constexpr bool wait = requires(const Atomic a, T value) { a.wait(value); };
    static constexpr bool notify = requires(Atomic a) { a.notify_one(), a.notify_all(); };
    static constexpr bool lock_free = Atomic::is_always_lock_free;
    static constexpr bool implicit = std::convertible_to<T, Atomic>;
    static constexpr bool made_of_nothing = std::default_initializable<Atomic>;
    static constexpr bool copied = std::copy_constructible<Atomic> || std::is_copy_assignable_v<Atomic>;
    static constexpr bool assigned = std::is_assignable_v<Atomic&, T>;
    static constexpr bool converted = std::is_convertible_v<const Atomic&, T>;

    static constexpr std::array all{difference,
                                    fetch_add,
                                    fetch_add_ordered,
                                    fetch_sub,
                                    fetch_sub_ordered,
                                    fetch_and,
                                    fetch_or,
                                    fetch_xor,
                                    load,
                                    store,
                                    store_to_constant,
                                    exchange,
                                    exchange_constant,
                                    weak,
                                    strong,
                                    expected_is_changed,
                                    wait,
                                    notify,
                                    lock_free,
                                    implicit,
                                    made_of_nothing,
                                    copied,
                                    assigned,
                                    converted};
};

template <class T>
void require_same() {
    STATIC_REQUIRE(offered<model_policy::atomic<T>, T>::all == offered<std_policy::atomic<T>, T>::all);
    STATIC_REQUIRE(offered<jitter_policy::atomic<T>, T>::all == offered<std_policy::atomic<T>, T>::all);
}

template <class Cell, class T>
struct made {
    static constexpr std::array all{std::default_initializable<Cell>,
                                    std::default_initializable<Cell[2]>,
                                    std::default_initializable<std::array<Cell, 2>>,
                                    std::is_convertible_v<T, Cell>,
                                    std::is_constructible_v<Cell, T>,
                                    std::is_constructible_v<Cell, T, T>,
                                    std::is_constructible_v<Cell, const char*>,
                                    std::is_convertible_v<const char*, Cell>,
                                    std::is_constructible_v<Cell, std::size_t>,
                                    std::is_convertible_v<std::size_t, Cell>,
                                    std::copy_constructible<Cell>,
                                    std::is_copy_assignable_v<Cell>};
};

struct no_default {
    explicit no_default(int /*value*/) {}
};

template <class T>
void require_cells_made_alike() {
    STATIC_REQUIRE(made<model_policy::cell<T>, T>::all == made<std_policy::cell<T>, T>::all);
    STATIC_REQUIRE(made<jitter_policy::cell<T>, T>::all == made<std_policy::cell<T>, T>::all);
}

// Under the model, once on one thread; another does something too, so that something is on trial.
template <class P>
struct every_operation {
    static constexpr auto threads = std::array{"all", "other"};
    typename P::template atomic<int> common{0};
    std::string seen;

    void run(int thread) {
        common.fetch_add(1);
        if (thread == 0) seen = policy_operations::all<P>();
    }
    [[nodiscard]] std::string outcome() const { return seen; }
};

// Where a continuation is asked whether its coroutine has ended.
enum class asked { empty, running, at_the_same_time };

template <asked How>
struct asks {
    template <class P>
    struct over {
        static constexpr auto threads = std::array{"asks", "other"};
        typename P::template atomic<int> common{0};
        typename P::continuation parked;
        int count = 0;

        over() {
            if constexpr (How == asked::at_the_same_time) {
                policy_operations::counting_started<P>(parked, count);
            }
        }
        ~over() {
            if constexpr (How == asked::at_the_same_time) parked.destroy();
        }
        void run(int thread) {
            common.fetch_add(1);
            if (thread == 1) {
                if constexpr (How == asked::at_the_same_time) typename P::continuation(parked).resume();
            } else if constexpr (How == asked::running) {
                [](over& self) -> ordeal::detached {
                    co_await policy_operations::park_and_go_on<P>{self.parked};
                    (void)self.parked.done();
                }(*this);
            } else {
                (void)parked.done();
            }
        }
    };
};

template <asked How>
std::optional<ordeal::violation_kind> found() {
    const auto what = ordeal::model_tests::make_scenario<asks<How>::template over>("asks");
    return ordeal::model_tests::search(what, {}, "graph").kind;
}

}  // namespace

TEST_CASE("a continuation that is empty, or whose coroutine may run, is not to be asked whether it has ended") {
    CHECK(found<asked::empty>() == ordeal::violation_kind::frame_misuse);
    CHECK(found<asked::running>() == ordeal::violation_kind::frame_misuse);
    CHECK(found<asked::at_the_same_time>() == ordeal::violation_kind::data_race);
}

TEST_CASE("the atomics of every policy have the operations of std::atomic for the type") {
    require_same<int>();
    require_same<unsigned char>();
    require_same<std::uint64_t>();
    require_same<char16_t>();
    require_same<bool>();
    require_same<float>();
    require_same<double>();
    require_same<int*>();
    require_same<const int*>();
    require_same<policy_operations::colour>();
    require_same<policy_operations::point>();
    STATIC_REQUIRE_FALSE(offered<std_policy::atomic<bool>, bool>::all == offered<std_policy::atomic<int>, int>::all);
}

TEST_CASE("cells and mutexes of every policy are made in the same ways") {
    require_cells_made_alike<int>();
    require_cells_made_alike<std::string>();
    require_cells_made_alike<std::array<int, 2>>();
    require_cells_made_alike<policy_operations::point>();
    require_cells_made_alike<no_default>();
    require_cells_made_alike<std::optional<int>>();
    STATIC_REQUIRE_FALSE(made<std_policy::cell<int>, int>::all == made<std_policy::cell<no_default>, no_default>::all);
    STATIC_REQUIRE(std::default_initializable<model_policy::mutex[2]>);
    STATIC_REQUIRE(std::default_initializable<std::array<model_policy::mutex, 2>>);
}

TEST_CASE("every operation returns the same over every policy") {
    const std::string real = policy_operations::all<std_policy>();
    CHECK(real.size() > 1000);
    CHECK(policy_operations::all<jitter_policy>() == real);
    ordeal::detail::search_options how;
    how.bounds.spurious = 0;  // no weak compare-exchange fails here on the way
    const auto what = ordeal::model_tests::make_scenario<every_operation>("every operation");
    const ordeal::detail::search_result result = ordeal::model_tests::search(what, how, "graph");
    CAPTURE(result.message);
    CHECK(result.verdict != ordeal::detail::verdict::violated);
    REQUIRE(result.outcomes.size() == 1);
    CHECK(result.outcomes.begin()->first == real);
}
