// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with retries: a search that follows each of them is held against one that does not. ORDEAL_SEED and
// ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/random_seed.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

enum class form : std::uint8_t {
    store,
    load,
    parity,  // of what a load finds
    exchange,
    add,
    raise,
    raise_looking_again,
    raise_twice_at_most,
    read,
    write,
    wait,
    notify,
    // Those of programs with more.
    look_twice,
    look_at_copy,  // an atomic that begins with what a look has found
    fence,
    raise_locked,  // while it holds the mutex
    try_to_lock,
    read_late,  // a cell that has no value at first
    free,
    allocate,
    swap_pair,  // the same with 16 bytes
};
constexpr std::uint64_t plain_forms = 12;
constexpr std::uint64_t forms = 21;
enum class in_iteration : std::uint8_t {
    nothing,
    writes_own,
    writes,
    reads_if_odd,
    writes_late_if_odd,
    notifies_if_odd
};
constexpr std::uint64_t plain_iterations = 4;
constexpr std::uint64_t iterations = 6;

struct pair {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    bool operator==(const pair&) const = default;
};

struct statement {
    form what = form::load;
    std::size_t object = 0;
    int value = 1;
    std::memory_order loading = relaxed;
    std::memory_order success = relaxed;
    std::memory_order failure = relaxed;
    in_iteration iteration = in_iteration::nothing;
    int guard = -1;  // the register that must not be 0
};

struct program {
    std::array<std::array<statement, 3>, 3> code{};
    std::array<std::size_t, 3> sizes{};
};

program& current() {
    static program the_one;
    return the_one;
}

template <class P>
struct runs_program {
    static constexpr auto threads = std::array{"first", "second", "third"};
    std::array<atomic_int<P>, 2> atomics{atomic_int<P>{0}, atomic_int<P>{0}};
    typename P::template atomic<pair> wide{pair{}};
    typename P::mutex lock;
    std::array<cell_int<P>, 2> cells{cell_int<P>{0}, cell_int<P>{0}};
    std::array<cell_int<P>, 3> own{cell_int<P>{0}, cell_int<P>{0}, cell_int<P>{0}};
    std::array<cell_int<P>, 3> late;
    std::array<std::array<int, 3>, 3> found{};
    std::array<std::array<void*, 3>, 3> freed{};
    std::array<std::array<void*, 3>, 3> given{};

    void iteration(const statement& each, std::size_t thread, int seen) {
        const bool odd = seen % 2 != 0;
        switch (each.iteration) {
            case in_iteration::nothing: return;
            case in_iteration::writes_own: own[thread].write() = seen; return;
            case in_iteration::writes: cells[0].write() = seen; return;
            case in_iteration::reads_if_odd:
                if (odd) (void)cells[1].read();
                return;
            case in_iteration::writes_late_if_odd:
                if (odd) late[thread].write() = 0;
                return;
            case in_iteration::notifies_if_odd:
                if (odd) atomics[1 - each.object].notify_one();
        }
    }

    int raise(const statement& each, std::size_t thread) {
        auto& object = atomics[each.object];
        int seen = object.load(each.loading);
        do {
            iteration(each, thread, seen);
        } while (!object.compare_exchange_weak(seen, seen + each.value, each.success, each.failure));
        return seen;
    }

    int raise_looking_again(const statement& each, std::size_t thread) {
        auto& object = atomics[each.object];
        for (;;) {
            int seen = object.load(each.loading);
            iteration(each, thread, seen);
            if (object.compare_exchange_strong(seen, seen + each.value, each.success, each.failure)) return seen;
        }
    }

    int raise_twice_at_most(const statement& each, std::size_t thread) {
        auto& object = atomics[each.object];
        int seen = object.load(each.loading);
        for (int i = 0; i < 2; ++i) {
            iteration(each, thread, seen);
            if (object.compare_exchange_strong(seen, seen + each.value, each.success, each.failure)) return seen;
        }
        return 9;
    }

    int look_twice(const statement& each, std::size_t thread) {
        iteration(each, thread, atomics[each.object].load(each.loading));
        return atomics[each.object].load(each.failure);
    }

    int look_at_copy(const statement& each) {
        atomic_int<P> copy{atomics[each.object].load(each.loading)};
        const int now = atomics[each.object].load(each.failure);
        return 10 * now + copy.load(relaxed);
    }

    int raise_locked(const statement& each, std::size_t thread) {
        const std::lock_guard held(lock);
        return raise(each, thread);
    }

    int try_to_lock(const statement& each) {
        int failed = 0;
        while (!lock.try_lock()) {
            if (++failed == each.value) return 0;
        }
        lock.unlock();
        return 1;
    }

    int swap_pair(const statement& each) {
        pair seen = wide.load(each.loading);
        while (!wide.compare_exchange_weak(seen, pair{seen.second + 1, seen.first}, each.success, each.failure)) {
        }
        return static_cast<int>(seen.first * 4 + seen.second);
    }

    int free_one(std::size_t thread, std::size_t number) {
        auto block = std::make_unique<int>(1);
        freed[thread][number] = block.get();
        return 0;
    }
    int allocate(std::size_t thread, std::size_t number) {
        auto block = std::make_unique<int>(2);
        given[thread][number] = block.release();
        return 0;
    }

    int perform(const statement& each, std::size_t thread, std::size_t number) {
        auto& object = atomics[each.object];
        switch (each.what) {
            case form::store: object.store(each.value, each.success == acq_rel ? release : each.success); return 0;
            case form::load: return object.load(each.loading);
            case form::parity: return object.load(each.loading) % 2;
            case form::exchange: return object.exchange(each.value, each.success);
            case form::add: return object.fetch_add(each.value, each.success);
            case form::raise: return raise(each, thread);
            case form::raise_looking_again: return raise_looking_again(each, thread);
            case form::raise_twice_at_most: return raise_twice_at_most(each, thread);
            case form::read: return cells[each.object].read();
            case form::write: cells[each.object].write() = each.value; return 0;
            case form::wait: object.wait(0, each.loading); return 0;
            case form::notify: object.notify_one(); return 0;
            case form::look_twice: return look_twice(each, thread);
            case form::look_at_copy: return look_at_copy(each);
            case form::fence: P::fence(each.success == relaxed ? seq_cst : each.success); return 0;
            case form::raise_locked: return raise_locked(each, thread);
            case form::try_to_lock: return try_to_lock(each);
            case form::read_late: return late[thread].read();
            case form::free: return free_one(thread, number);
            case form::allocate: return allocate(thread, number);
            case form::swap_pair: return swap_pair(each);
        }
        return 0;
    }

    void run(int number) {
        const auto thread = static_cast<std::size_t>(number);
        for (std::size_t i = 0; i < current().sizes[thread]; ++i) {
            const statement& each = current().code[thread][i];
            if (each.guard >= 0 && found[thread][static_cast<std::size_t>(each.guard)] == 0) continue;
            found[thread][i] = perform(each, thread, i);
        }
    }
    [[nodiscard]] std::string outcome() const {
        std::string text;
        for (const auto& each : found) text += fmt::format("{}|", fmt::join(each, ","));
        for (const auto& some : given) {
            for (void* const block : some) {
                for (const auto& others : freed) {
                    for (void* const other : others) text += block != nullptr && block == other ? 'a' : '.';
                }
            }
        }
        return text + fmt::format("{},{}", atomics[0].load(), atomics[1].load());
    }
    void finish() {
        for (const auto& some : given) {
            for (void* const block : some) delete static_cast<int*>(block);
        }
    }
};

/// `more`: the forms of which there are fewer examples.
program random_program(std::uint64_t seed, bool more) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    const auto loading = [&] { return std::array{relaxed, acquire, acquire, seq_cst}[below(4)]; };
    const auto storing = [&] { return std::array{relaxed, release, release, seq_cst}[below(4)]; };
    const auto modifying = [&] { return std::array{relaxed, release, acq_rel, seq_cst}[below(4)]; };
    program made;
    const std::size_t threads = 2 + below(2);
    std::size_t loops = 0;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        made.sizes[thread] = threads == 3 ? 1 + below(2) : 2 + below(2);
        for (std::size_t i = 0; i < made.sizes[thread]; ++i) {
            statement& each = made.code[thread][i];
            each.what = static_cast<form>(below(more ? forms : plain_forms));
            const bool loop = (each.what >= form::raise && each.what <= form::raise_twice_at_most) ||
                              each.what == form::raise_locked || each.what == form::swap_pair;
            if (loop && ++loops > 3) each.what = form::parity;
            each.object = below(3) == 0 ? 1 : 0;
            each.value = static_cast<int>(1 + below(2));
            each.loading = loading();
            const bool modifies =
                loop || each.what == form::exchange || each.what == form::add || each.what == form::fence;
            each.success = modifies ? modifying() : storing();
            each.failure = loading();
            each.iteration = static_cast<in_iteration>(below(more ? iterations : plain_iterations));
            if (i > 0 && below(3) == 0) each.guard = static_cast<int>(below(i));
            if (each.what == form::read_late && each.guard < 0) each.what = form::look_twice;
        }
    }
    return made;
}

/// What came of programs that were searched in both ways.
struct tally {
    std::uint64_t fewer = 0;
    std::uint64_t violated = 0;
};

void compare(std::uint64_t seed, bool more, tally& counts) {
    current() = random_program(seed, more);
    CAPTURE(seed);
    for (const memory_model model : {memory_model::rc11, memory_model::tso, memory_model::sc}) {
        search_options how = full_search();
        how.model = model;
        const scenario what = make_scenario<runs_program>("random");
        const search_result some = graph_search(what, how);
        how.reductions.retries = how.reductions.blocked = false;
        const search_result all = graph_search(what, how);
        CAPTURE(to_string(model), some.message, all.message, some.executions, some.blocked, all.executions,
                all.blocked);
        CHECK(to_string(some.verdict) == to_string(all.verdict));
        counts.fewer += some.executions < all.executions ? 1 : 0;
        counts.violated += some.verdict == verdict::violated ? 1 : 0;
        if (some.verdict != verdict::violated) CHECK(outcomes_of(some) == outcomes_of(all));
    }
}

}  // namespace

TEST_CASE(
    "Random programs with loops of compare-exchanges come to the same whether redundant retries are followed or not") {
    const std::uint64_t first = rc11::first_seed();
    const std::uint64_t programs = rc11::from_environment("ORDEAL_PROGRAMS", 150);
    tally counts;
    for (std::uint64_t seed = first; seed < first + programs; ++seed) compare(seed, false, counts);
    // Else they would say little.
    CHECK(counts.fewer * 10 > programs);
    CHECK(counts.violated * 20 > programs);
}

TEST_CASE("Random programs with retries of all kinds come to the same whether redundant retries are followed or not") {
    const std::uint64_t first = rc11::first_seed();
    const std::uint64_t programs = rc11::from_environment("ORDEAL_PROGRAMS", 150);
    tally counts;
    for (std::uint64_t seed = first; seed < first + programs; ++seed) compare(seed, true, counts);
    CHECK(counts.fewer * 10 > programs);
    CHECK(counts.violated * 20 > programs);
}

}  // namespace ordeal::model_tests
