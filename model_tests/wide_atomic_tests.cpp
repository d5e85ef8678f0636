// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of 16 bytes over the policy: a program has the same executions with them as with numbers that take their
// place.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/search_parts.hpp"
#include "model_tests/litmus/programs.hpp"

#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/report/value_names.hpp"
#include "ordeal/runtime/word.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

struct pair_of_words {
    std::uint64_t first;
    std::uint64_t second;
};

// What stands for a number: values that have their first 8 bytes in common.
template <class T>
T make(int number) {
    if constexpr (std::same_as<T, pair_of_words>) return {~std::uint64_t{0}, static_cast<std::uint64_t>(number)};
    if constexpr (std::same_as<T, int>) return number;
}
int number_in(int value) { return value; }
int number_in(const pair_of_words& value) { return static_cast<int>(value.second) + (~value.first == 0 ? 0 : 100); }

template <class T, std::memory_order Store, std::memory_order Load>
struct buffers {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<T> x{make<T>(0)};
        typename P::template atomic<T> y{make<T>(0)};
        std::array<int, 2> seen{};

        void run(int thread) {
            (thread == 0 ? x : y).store(make<T>(1), Store);
            seen[static_cast<std::size_t>(thread)] = number_in((thread == 0 ? y : x).load(Load));
        }
        [[nodiscard]] std::string outcome() const { return values(seen[0], seen[1]); }
    };
};

template <class T, std::memory_order Store, std::memory_order Load>
struct publication {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<T> data{make<T>(0)};
        typename P::template atomic<T> flag{make<T>(0)};
        std::array<int, 2> seen{};

        void run(int thread) {
            if (thread == 0) {
                data.store(make<T>(1), relaxed);
                flag.store(make<T>(1), Store);
            } else {
                seen = {number_in(flag.load(Load)), number_in(data.load(relaxed))};
            }
        }
        [[nodiscard]] std::string outcome() const { return values(seen[0], seen[1]); }
    };
};

template <class T>
struct coherence {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"writes", "writes", "reads"};
        typename P::template atomic<T> object{make<T>(0)};
        std::array<int, 2> seen{};

        void run(int thread) {
            if (thread < 2) return object.store(make<T>(thread + 1), relaxed);
            const int first = number_in(object.load(relaxed));
            seen = {first, number_in(object.load(relaxed))};
        }
        [[nodiscard]] std::string outcome() const {
            return values(seen[0], seen[1]) + ' ' + std::to_string(number_in(object.load()));
        }
    };
};

// All read-modify-writes that such an object has.
template <class T>
struct exchanges {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"exchanges", "compares", "compares"};
        typename P::template atomic<T> object{make<T>(0)};
        std::array<int, 3> seen{};

        void run(int thread) {
            T expected = make<T>(thread - 1);
            switch (thread) {
                case 0: expected = object.exchange(make<T>(1), release); break;
                case 1: (void)object.compare_exchange_strong(expected, make<T>(2), relaxed, acquire); break;
                default: (void)object.compare_exchange_weak(expected, make<T>(3), seq_cst, relaxed); break;
            }
            seen[static_cast<std::size_t>(thread)] = number_in(expected);
        }
        [[nodiscard]] std::string outcome() const {
            return values(seen[0], seen[1]) + ' ' + values(seen[2], number_in(object.load()));
        }
    };
};

template <class T>
struct waiting {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"waits", "stores", "stores"};
        typename P::template atomic<T> object{make<T>(0)};
        int seen = 0;

        void run(int thread) {
            if (thread == 0) {
                object.wait(make<T>(0), acquire);
                seen = number_in(object.load(relaxed));
            } else {
                object.store(make<T>(thread), release);
                object.notify_all();
            }
        }
        [[nodiscard]] std::string outcome() const { return std::to_string(seen); }
    };
};

// A loop of the kind that lock-free code has.
template <class T>
struct counting {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"adds", "adds", "adds"};
        typename P::template atomic<T> sum{make<T>(0)};

        void run(int /*thread*/) {
            T seen = sum.load(relaxed);
            while (!sum.compare_exchange_weak(seen, make<T>(number_in(seen) + 1), relaxed)) {
            }
        }
        [[nodiscard]] std::string outcome() const { return std::to_string(number_in(sum.load())); }
    };
};

template <class T>
std::vector<scenario> all_programs() {
    return {make_scenario<buffers<T, seq_cst, seq_cst>::template test>("buffers"),
            make_scenario<buffers<T, release, acquire>::template test>("buffers, acquire"),
            make_scenario<publication<T, release, acquire>::template test>("publication"),
            make_scenario<publication<T, relaxed, relaxed>::template test>("publication, relaxed"),
            make_scenario<coherence<T>::template test>("coherence"),
            make_scenario<exchanges<T>::template test>("exchanges"),
            make_scenario<waiting<T>::template test>("waiting"),
            make_scenario<counting<T>::template test>("counting")};
}

void check_same(const search_result& wide, const search_result& narrow) {
    CAPTURE(wide.message, narrow.message);
    CHECK(to_string(wide.verdict) == to_string(narrow.verdict));
    CHECK(wide.complete);
    CHECK(wide.outcomes == narrow.outcomes);
    CHECK(wide.executions == narrow.executions);
    CHECK(wide.blocked == narrow.blocked);
}

void check_all(const search_options& of_wide, const search_options& of_narrow, std::string_view engine = "graph") {
    const std::vector<scenario> wide = all_programs<pair_of_words>();
    const std::vector<scenario> narrow = all_programs<int>();
    for (std::size_t i = 0; i < wide.size(); ++i) {
        CAPTURE(wide[i].name);
        check_same(search(wide[i], of_wide, engine), search(narrow[i], of_narrow, engine));
    }
}

template <class P>
struct violated_with_a_pointer {
    static constexpr auto threads = two_threads;
    typename P::template atomic<pair_of_words> object{pair_of_words{0, 1}};

    void run(int thread) {
        if (thread == 0) {
            object.store({reinterpret_cast<std::uintptr_t>(this), 2});
        } else {
            P::yield();
            require(object.load().second != 2);
        }
    }
};

}  // namespace

TEST_CASE("A program has the same executions with atomics of 16 bytes", "[graph]") {
    for (const memory_model model : {memory_model::rc11, memory_model::tso, memory_model::sc}) {
        search_options how = full_search();
        how.model = model;
        check_all(how, how);
    }
}

TEST_CASE("Graphs with values of 16 bytes can be given to other processes", "[graph]") {
    search_options shared = full_search();
    shared.resources.jobs = 2;
    check_all(shared, full_search());
    search_options without_copies = full_search();
    without_copies.reductions.snapshots = false;
    check_all(without_copies, full_search());
}

TEST_CASE("A graph that is sent has values of 16 bytes and not their numbers", "[graph]") {
    graph::event narrow;
    narrow.thread_id = 1;
    narrow.where = graph::constructed_by(1, 2);
    narrow.data = graph::write_data{.value = 12, .co = 1};
    graph::event wide = narrow;
    wide.index = 1;
    wide.where = graph::wide(graph::constructed_by(1, 3));
    wide.write().value = number_of({12345, 67890});
    graph::part_of_search part;
    part.work.emplace_back();
    part.work.front().add(narrow);
    part.work.front().add(wide);
    const std::string text = graph::serialise(part);
    CHECK(text.find("[12345,67890]") != std::string::npos);
    const auto read = graph::parse_part(text);
    REQUIRE(read.has_value());
    CHECK(read->work.front()[0].write().value == 12);
    CHECK(read->work.front()[1].write().value == wide.write().value);
    CHECK(read->work.front()[1].where == wide.where);
    check_survives_parts(make_scenario<counting<pair_of_words>::test>("counting"), 3);
}

TEST_CASE("Which objects have 16 bytes is part of their names") {
    const graph::location constructed = graph::constructed_by(2, 7);
    const graph::location at = graph::at_address(0x7fff'1234'5670, 3, false);
    for (const graph::location each : {constructed, at}) {
        CHECK_FALSE(graph::is_wide(each));
        CHECK(graph::is_wide(graph::wide(each)));
        CHECK(graph::wide(each) != each);
    }
    CHECK_FALSE(graph::is_wide(graph::no_location));
    CHECK(graph::is_at_address(graph::wide(at), 0x7fff'1234'5670));
    CHECK(graph::incarnation_of(graph::wide(at)) == 3);
    CHECK(graph::owner_of(graph::wide(constructed))->thread_id == 2);
    CHECK(graph::owner_of(graph::wide(constructed))->index != graph::owner_of(constructed)->index);
}

TEST_CASE("Shards of a search with values of 16 bytes add up") {
    constexpr unsigned shards = 3;
    const scenario what = make_scenario<counting<pair_of_words>::test>("counting");
    search_options how = full_search();
    how.shard.count = shards;
    std::uint64_t executions = 0;
    for (how.shard.index = 1; how.shard.index <= shards; ++how.shard.index)
        executions += graph_search(what, how).executions;
    CHECK(executions == graph_search(what).executions);
}

TEST_CASE("Relacy has atomics of 16 bytes too") { check_all(full_search(), full_search(), "relacy"); }

TEST_CASE("A trace shows both halves of 16 bytes") {
    const scenario what = make_scenario<violated_with_a_pointer>("pointer");
    for (const char* const engine : {"graph", "relacy"}) {
        CAPTURE(engine);
        const search_result result = search(what, {}, engine);
        REQUIRE(result.verdict == verdict::violated);
        value_names names;
        std::string written;
        std::string read;
        for (const trace_step& each : result.trace) {
            if (each.where.key.what == role::store && each.after) written = names.of(*each.after, each.second_after);
            if (each.where.key.what == role::load && each.before) read = names.of(*each.before, each.second_before);
        }
        CHECK(written == "{ptr1, 2}");
        CHECK(read == written);
    }
}

TEST_CASE("A value of 16 bytes has one number") {
    const std::uint64_t one = number_of({1, 0});
    const std::uint64_t other = number_of({0, 1});
    CHECK(number_of({0, 0}) == 0);
    CHECK(one != other);
    CHECK(number_of({1, 0}) == one);
    CHECK(wide_value_of(other) == wide_value{0, 1});
    std::array<std::uint64_t, 2> bytes{0, 1};
    CHECK(word_in(bytes.data(), sizeof(bytes)) == other);
    put_word_in(bytes.data(), sizeof(bytes), one);
    CHECK(bytes == std::array<std::uint64_t, 2>{1, 0});
}

TEST_CASE("What a read-modify-write writes has as many bytes as its object") {
    CHECK(changed_word(modification::add, 0xff, 1, 1) == 0);
    CHECK(changed_word(modification::subtract, 0, 1, 4) == 0xffff'ffff);
    CHECK(changed_word(modification::bit_nand, 6, 3, 2) == 0xfffd);
    constexpr std::uint64_t all = ~std::uint64_t{0};
    const auto changed = [](modification how, wide_value before, wide_value operand) {
        return wide_value_of(changed_word(how, number_of(before), number_of(operand), wide_size));
    };
    CHECK(changed(modification::add, {all, 1}, {1, 0}) == wide_value{0, 2});
    CHECK(changed(modification::subtract, {0, 0}, {1, 0}) == wide_value{all, all});
    CHECK(changed(modification::bit_and, {6, 5}, {3, 4}) == wide_value{2, 4});
    CHECK(changed(modification::bit_or, {6, 1}, {1, 2}) == wide_value{7, 3});
    CHECK(changed(modification::bit_xor, {6, 1}, {3, 1}) == wide_value{5, 0});
    CHECK(changed(modification::bit_nand, {6, all}, {3, all}) == wide_value{~std::uint64_t{2}, 0});
    CHECK(changed(modification::exchange, {6, 1}, {3, 4}) == wide_value{3, 4});
}

}  // namespace ordeal::model_tests
