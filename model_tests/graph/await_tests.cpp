// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with loops that wait, against the same programs where each loop looks once and its thread stops when
// that does not end it: what a loop did before its last iteration makes no difference to the outcomes, and some
// execution is a livelock when the newest values end no loop of the threads that stopped. ORDEAL_SEED and
// ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/loop_comparison.hpp"
#include "model_tests/graph/loop_outcome.hpp"
#include "model_tests/graph/numbered_site.hpp"

#include "ordeal/runtime/execution.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <source_location>
#include <string>
#include <vector>

namespace ordeal::model_tests {

namespace {

constexpr std::size_t locations = 2;
constexpr std::size_t most_threads = 3;
constexpr std::size_t most_instructions = 4;

enum class operation : std::uint8_t {
    load,
    store,
    add,
    await,
    await_yielding,
    await_both,
    exchange_when,
    exchange_weakly,
    fence
};

struct instruction {
    operation what = operation::load;
    std::size_t location = 0;
    std::uint64_t value = 1;  ///< stored, added or waited for
    order using_order = order::relaxed;
};

using program = std::vector<std::vector<instruction>>;

const program* current = nullptr;
looking how_to_look = looking::once;

site_id site_of(std::size_t instruction, std::size_t part,
                const std::source_location& where = std::source_location::current()) {
    return numbered_site(3 * instruction + part, where);
}

/// One execution of the current program.
class interpreter {
public:
    interpreter() {
        for (std::uint64_t& each : shared_) current_runtime().begin_life(range(each), object_kind::atomic, 0, no_site);
        current_runtime().begin_life(range(common_), object_kind::cell, 1, no_site);
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter() {
        for (std::uint64_t& each : shared_) current_runtime().end_life(range(each), no_site);
        current_runtime().end_life(range(common_), no_site);
    }

    void run(int number) {
        current_runtime().read(range(common_), no_site);
        const auto thread = static_cast<std::size_t>(number);
        const auto& code = (*current)[thread];
        for (std::size_t i = 0; i < code.size(); ++i) {
            stopped_[thread] = i + 1;
            if (!perform(code[i], i, registers_[thread][i])) return;
        }
        stopped_[thread] = 0;
    }

    [[nodiscard]] std::string outcome() {
        std::array<std::uint64_t, locations> last{};
        for (std::size_t i = 0; i < locations; ++i)
            last[i] = current_runtime().load({range(shared_[i]), order::relaxed, no_site});
        return loop_outcome(*current, registers_, stopped_, last, ended_by);
    }

private:
    static memory_range range(const std::uint64_t& of) { return {reinterpret_cast<std::uintptr_t>(&of), sizeof of}; }
    static bool ended_by(const instruction& loop, const std::array<std::uint64_t, locations>& values) {
        const bool first = values[loop.location] == loop.value;
        return loop.what == operation::await_both ? first && values[1 - loop.location] == loop.value : first;
    }

    // Whether the thread goes on.
    bool perform(const instruction& each, std::size_t number, std::uint64_t& result) {
        const atomic_access access{range(shared_[each.location]), each.using_order, site_of(number, 0)};
        switch (each.what) {
            case operation::load: result = current_runtime().load(access); return true;
            case operation::store: current_runtime().store(access, each.value); return true;
            case operation::add: result = current_runtime().modify(access, modification::add, each.value); return true;
            case operation::fence: current_runtime().fence(order::seq_cst, access.site); return true;
            default: break;
        }
        while (!look(each, access, number)) {
            if (how_to_look == looking::once) return false;
            if (each.what == operation::await_yielding) current_runtime().yield(site_of(number, 2));
        }
        result = each.value;
        return true;
    }
    // One iteration of a loop: whether it ends it.
    bool look(const instruction& each, const atomic_access& access, std::size_t number) {
        const bool weakly = each.what == operation::exchange_weakly;
        if (each.what == operation::exchange_when || weakly) {
            std::uint64_t expected = each.value;
            const bool may_fail = weakly && how_to_look == looking::in_loops;
            return current_runtime().compare_exchange(access, order::relaxed, site_of(number, 1), may_fail, expected,
                                                      each.value + 1);
        }
        if (current_runtime().load(access) != each.value) return false;
        if (each.what != operation::await_both) return true;
        return current_runtime().load({range(shared_[1 - each.location]), each.using_order, site_of(number, 1)}) ==
               each.value;
    }

    std::uint64_t common_ = 0;  ///< read by every thread: of threads that share nothing a search shows nothing
    std::array<std::uint64_t, locations> shared_{};
    std::array<std::array<std::uint64_t, most_instructions>, most_threads> registers_{};
    std::array<std::size_t, most_threads> stopped_{};  ///< at which instruction, from 1
};

scenario as_scenario(const program& what, looking how) {
    current = &what;
    how_to_look = how;
    scenario result;
    result.name = "a random program that waits";
    result.threads.assign(what.size(), "thread");
    result.model = detail::body_of<interpreter>();
    return result;
}

program random_program(std::uint64_t seed, std::size_t threads, std::size_t instructions) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    using enum operation;
    constexpr std::array waiting{await, await_yielding, await_both, exchange_when, exchange_weakly};
    constexpr std::array other{load, store, store, store, add, fence};
    program result(threads);
    for (auto& code : result) {
        code.resize(1 + below(instructions));
        for (instruction& each : code) {
            each.what = below(4) == 0 ? waiting[below(waiting.size())] : other[below(other.size())];
            each.location = below(locations);
            each.value = 1 + below(2);
            const bool stores = each.what == store;
            const bool both = each.what == add || each.what == exchange_when || each.what == exchange_weakly;
            constexpr std::array loading{order::relaxed, order::acquire, order::seq_cst};
            constexpr std::array storing{order::relaxed, order::release, order::seq_cst};
            constexpr std::array modifying{order::relaxed, order::acq_rel, order::seq_cst};
            each.using_order = (stores ? storing : both ? modifying : loading)[below(3)];
        }
    }
    return result;
}

std::string to_string(const program& what) {
    constexpr std::array names{"load",          "store",           "add",  "await", "await, yielding,", "await both",
                               "exchange when", "exchange weakly", "fence"};
    std::string text;
    for (const auto& code : what) {
        for (const instruction& each : code) {
            text += fmt::format("{} x{} {} {}; ", names[static_cast<std::size_t>(each.what)], each.location, each.value,
                                ordeal::to_string(each.using_order));
        }
        text += '\n';
    }
    return text;
}

void compare_random_programs(std::size_t threads, std::size_t instructions) {
    const loop_verdicts sums = compare_in_loops_with_once(500, {}, [&](std::uint64_t seed) {
        const program what = random_program(seed, threads, instructions);
        return looping_program{to_string(what), [what](looking how) { return as_scenario(what, how); }};
    });
    CHECK(sums.within == 0);
    check_livelocks(sums);
}

}  // namespace

TEST_CASE("Loops that wait have the outcomes of their last iteration alone: two threads") {
    compare_random_programs(2, 4);
}

TEST_CASE("Loops that wait have the outcomes of their last iteration alone: three threads") {
    compare_random_programs(3, 3);
}

}  // namespace ordeal::model_tests
