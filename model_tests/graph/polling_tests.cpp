// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with loops that poll several atomics, often from one place of the source: any of them, all of them, in
// turns, slots to take, loops in loops. As in await_tests.cpp they are compared with the same programs where each loop
// makes one turn and its thread stops when that does not end it; besides, with random executions, and where every loop
// ends by construction the verdict must say so.
// ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/loop_outcome.hpp"
#include "model_tests/graph/numbered_site.hpp"
#include "model_tests/graph/random_seed.hpp"

#include "ordeal/model/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ordeal::model_tests {

namespace {

constexpr std::size_t locations = 3;
constexpr std::size_t most_threads = 3;
constexpr std::size_t most_instructions = 3;

enum class operation : std::uint8_t {
    load,
    store,
    add,
    fence,
    any_of,     ///< looks at each in turn until one has the value
    in_turns,   ///< the same, but a variable says which one is next
    all_of,     ///< begins again at the first that has another value
    differ,     ///< until the first two have different values
    take_slot,  ///< exchanges the first that has the value
    take_slot_weakly,
    nested,  ///< a loop that waits for the first, in one that looks at the others
};
constexpr std::array names{"load",     "store",  "add",    "fence",     "any of",
                           "in turns", "all of", "differ", "take slot", "take slot weakly",
                           "nested"};

/// What a loop does after a turn that did not end it.
enum class pause : std::uint8_t { none, yield, yield_each_second, look_elsewhere_each_third };

struct instruction {
    operation what = operation::load;
    std::vector<std::size_t> where;  ///< locations
    std::uint64_t value = 1;         ///< stored, added or waited for
    order using_order = order::relaxed;
    pause between = pause::none;
    bool one_place = true;  ///< all locations are looked at by one operation of the source

    [[nodiscard]] bool is_loop() const noexcept { return what >= operation::any_of; }
};

using program = std::vector<std::vector<instruction>>;
using values_of_locations = std::array<std::uint64_t, locations>;

enum class looking : std::uint8_t { in_loops, once };

const program* current = nullptr;
looking how_to_look = looking::once;

site_id site_of(std::size_t instruction, std::size_t part,
                const std::source_location& where = std::source_location::current()) {
    return numbered_site(7 * instruction + part, where);
}

constexpr std::size_t failure_part = 5;
constexpr std::size_t other_part = 6;

/// One execution of the current program.
class interpreter {
public:
    interpreter() {
        for (std::uint64_t& each : shared_) port().begin_life(range(each), object_kind::atomic, 0, no_site);
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter() {
        for (std::uint64_t& each : shared_) port().end_life(range(each), no_site);
    }

    void run(int number) {
        const auto thread = static_cast<std::size_t>(number);
        const auto& code = (*current)[thread];
        std::array<std::uint64_t, most_instructions> registers{};
        std::size_t done = 0;
        while (done < code.size() && perform(code[done], done, registers[done])) ++done;
        // At the end alone: what a thread writes to the object is another state of those that go round.
        stopped_[thread] = done < code.size() ? done + 1 : 0;
        registers_[thread] = registers;
    }

    [[nodiscard]] std::string outcome() {
        values_of_locations last{};
        for (std::size_t i = 0; i < locations; ++i) last[i] = port().load({range(shared_[i]), order::relaxed, no_site});
        return loop_outcome(*current, registers_, stopped_, last, ended_by);
    }

private:
    static memory_range range(const std::uint64_t& of) { return {reinterpret_cast<std::uintptr_t>(&of), sizeof of}; }

    static bool ended_by(const instruction& loop, const values_of_locations& values) {
        const auto has_value = [&](std::size_t location) { return values[location] == loop.value; };
        switch (loop.what) {
            case operation::all_of:
            case operation::nested: return std::ranges::all_of(loop.where, has_value);
            case operation::differ: return values[loop.where[0]] != values[loop.where[1]];
            default: return std::ranges::any_of(loop.where, has_value);
        }
    }

    // Whether the thread goes on.
    bool perform(const instruction& each, std::size_t number, std::uint64_t& result) {
        const atomic_access access{range(shared_[each.where[0]]), each.using_order, site_of(number, 0)};
        switch (each.what) {
            case operation::load: result = port().load(access); return true;
            case operation::store: port().store(access, each.value); return true;
            case operation::add: result = port().modify(access, modification::add, each.value); return true;
            case operation::fence: port().fence(order::seq_cst, access.site); return true;
            default: break;
        }
        std::size_t next = 0;  // of those that the loop looks at in turns
        unsigned turns = 0;
        std::uint64_t found = 0;
        while (!look(each, number, next, found)) {
            if (how_to_look == looking::once) return false;
            rest(each, number, turns);
        }
        result = found;
        return true;
    }

    // Counts no further than it has to: a loop is back where it was when this is, too.
    void rest(const instruction& each, std::size_t number, unsigned& turns) {
        switch (each.between) {
            case pause::none: return;
            case pause::yield: break;
            case pause::yield_each_second:
                turns = 1 - turns;
                if (turns != 0) return;
                break;
            case pause::look_elsewhere_each_third:
                turns = (turns + 1) % 3;
                if (turns == 0) (void)load(each, number, other_part, locations - 1);
                return;
        }
        port().yield(site_of(number, other_part));
    }

    std::uint64_t load(const instruction& each, std::size_t number, std::size_t part, std::size_t location) {
        return port().load({range(shared_[location]), each.using_order, site_of(number, part)});
    }
    bool take(const instruction& each, std::size_t number, std::size_t part, std::size_t location) {
        std::uint64_t expected = each.value;
        const bool weakly = each.what == operation::take_slot_weakly;
        return port().compare_exchange({range(shared_[location]), each.using_order, site_of(number, part)},
                                       order::relaxed, site_of(number, failure_part), weakly, expected, each.value + 2);
    }

    // One turn of a loop: whether it ends it, and by what.
    bool look(const instruction& each, std::size_t number, std::size_t& next, std::uint64_t& found) {
        const auto part = [&](std::size_t i) { return each.one_place ? 0 : i; };
        const auto is_there = [&](std::size_t i) { return load(each, number, part(i), each.where[i]) == each.value; };
        const std::size_t count = each.where.size();
        found = 1;
        switch (each.what) {
            case operation::all_of:
                for (std::size_t i = 0; i < count; ++i) {
                    if (!is_there(i)) return false;
                }
                return true;
            case operation::differ:
                found = 10 * load(each, number, part(0), each.where[0]);
                found += load(each, number, part(1), each.where[1]);
                return found / 10 != found % 10;
            case operation::nested:
                while (!is_there(0)) {
                    if (how_to_look == looking::once) return false;
                    if (each.between == pause::yield) port().yield(site_of(number, other_part));
                }
                for (std::size_t i = 1; i < count; ++i) {
                    if (!is_there(i)) return false;
                }
                return true;
            case operation::in_turns:
                if (how_to_look == looking::in_loops) {
                    found = next + 1;
                    const bool ends = is_there(next);
                    next = (next + 1) % count;
                    return ends;
                }
                break;
            default: break;
        }
        const bool slots = each.what == operation::take_slot || each.what == operation::take_slot_weakly;
        for (std::size_t i = 0; i < count; ++i) {
            found = i + 1;
            if (slots ? take(each, number, part(i), each.where[i]) : is_there(i)) return true;
        }
        return false;
    }

    std::array<std::uint64_t, locations> shared_{};
    std::array<std::array<std::uint64_t, most_instructions>, most_threads> registers_{};
    std::array<std::size_t, most_threads> stopped_{};  ///< at which instruction, from 1
};

scenario as_scenario(const program& what, looking how) {
    current = &what;
    how_to_look = how;
    scenario result;
    result.name = "a random program that polls";
    result.threads.assign(what.size(), "thread");
    result.model = detail::body_of<interpreter>();
    return result;
}

/// Makes programs; `right` ones have loops that all end, whatever the executions.
class maker {
public:
    explicit maker(std::uint64_t seed) : random_(seed) {}

    program any_program(std::size_t threads, std::size_t instructions) {
        using enum operation;
        constexpr std::array others{load, store, store, store, add, fence};
        program result(threads);
        for (auto& code : result) {
            code.resize(1 + below(instructions));
            for (instruction& each : code) {
                each = below(3) == 0 ? any_loop(all_loops) : simple(others[below(others.size())], below(locations));
            }
        }
        return result;
    }

    // Each thread but the first waits for what the ones before it are sure to leave, as each location has one writer.
    program right_program(std::size_t threads) {
        using enum operation;
        program result(threads);
        std::vector<std::size_t> written;
        for (std::size_t thread = 0; thread < threads; ++thread) {
            auto& code = result[thread];
            if (!written.empty()) {
                constexpr std::array loops{any_of, in_turns, all_of, nested};
                instruction loop = any_loop(loops);
                loop.value = 2;
                if (loop.what == any_of || loop.what == in_turns) {
                    loop.where[below(loop.where.size())] = written[below(written.size())];
                } else {
                    for (std::size_t& each : loop.where) each = written[below(written.size())];
                }
                code.push_back(loop);
            }
            if (below(3) == 0) code.push_back(simple(load, below(locations)));
            if (below(2) == 0) code.push_back(with_value(simple(store, thread), 1));
            if (code.size() == most_instructions) code.pop_back();
            code.push_back(with_value(simple(store, thread), 2));
            written.push_back(thread);
        }
        return result;
    }

    // As many slots are given as there are threads that take one.
    program right_slots(std::size_t threads) {
        using enum operation;
        program result(threads);
        const auto takes = threads - 1;
        std::vector<std::size_t> slots(takes);
        for (std::size_t i = 0; i < takes; ++i) slots[i] = i;
        std::ranges::shuffle(slots, random_);
        for (const std::size_t each : slots) result[0].push_back(with_value(simple(store, each), 1));
        for (std::size_t thread = 1; thread < threads; ++thread) {
            constexpr std::array loops{take_slot, take_slot_weakly};
            instruction loop = any_loop(loops);
            loop.value = 1;
            std::ranges::shuffle(slots, random_);
            loop.where = slots;
            result[thread].push_back(loop);
        }
        std::ranges::rotate(result, result.begin() + static_cast<std::ptrdiff_t>(below(threads)));
        return result;
    }

private:
    static constexpr std::array all_loops{operation::any_of,          operation::in_turns,  operation::all_of,
                                          operation::differ,          operation::take_slot, operation::nested,
                                          operation::take_slot_weakly};

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    static instruction with_value(instruction of, std::uint64_t value) {
        of.value = value;
        return of;
    }

    order any_order(operation what) {
        using enum operation;
        constexpr std::array loading{order::relaxed, order::acquire, order::seq_cst};
        constexpr std::array storing{order::relaxed, order::release, order::seq_cst};
        constexpr std::array modifying{order::relaxed, order::acq_rel, order::seq_cst};
        const bool both = what == add || what == take_slot || what == take_slot_weakly;
        return (what == store ? storing : both ? modifying : loading)[below(3)];
    }

    instruction simple(operation what, std::size_t location) {
        return {.what = what, .where = {location}, .value = 1 + below(2), .using_order = any_order(what)};
    }

    instruction any_loop(std::span<const operation> choice) {
        constexpr std::array pauses{pause::none, pause::none, pause::yield, pause::yield_each_second,
                                    pause::look_elsewhere_each_third};
        instruction result = simple(choice[below(choice.size())], 0);
        result.where = {0, 1, 2};
        std::ranges::shuffle(result.where, random_);
        result.where.resize(2 + below(2));
        result.between = pauses[below(pauses.size())];
        result.one_place = below(4) != 0;
        return result;
    }

    std::mt19937_64 random_;
};

std::string to_string(const program& what) {
    constexpr std::array pauses{"", ", yields", ", yields each second time", ", looks elsewhere each third time"};
    std::string text;
    for (const auto& code : what) {
        for (const instruction& each : code) {
            text += fmt::format("{} x{} {} {}{}{}; ", names[static_cast<std::size_t>(each.what)],
                                fmt::join(each.where, ","), each.value, ordeal::to_string(each.using_order),
                                pauses[static_cast<std::size_t>(each.between)], each.one_place ? "" : ", apart");
        }
        text += '\n';
    }
    return text;
}

search_result search_here(const program& what, looking how, search_options options = {}) {
    search_progress progress;
    options.spurious = most_instructions * locations;  // no more of them in a turn of each loop
    return find_engine("graph")->search(as_scenario(what, how), options, progress);
}

struct counts {
    std::uint64_t held = 0;
    std::uint64_t within = 0;
    std::uint64_t livelocks = 0;
};

// A spurious failure that leads to another slot is another state, and the number of those is a bound.
bool only_spurious(const search_result& result) {
    return std::ranges::all_of(result.limits, [](const limit& each) { return each.id == "spurious-failures"; });
}

void require_outcomes_of_random_executions(const program& what, const outcome_set& all) {
    search_options random;
    random.mode = search_mode::random;
    random.bound = 200;
    const search_result some = search_here(what, looking::in_loops, random);
    CAPTURE(some.message);
    REQUIRE(some.verdict != verdict::violated);
    for (const std::string& each : outcomes_of(some)) {
        CAPTURE(each);
        REQUIRE(all.contains(each));
    }
}

// An automatic search goes on for a while after it has found a violation, and that is enough here.
constexpr std::uint64_t enough = 5'000;

void compare(const program& what, counts& sums) {
    INFO(to_string(what));
    const search_result once = search_here(what, looking::once);
    REQUIRE(!once.kind);
    REQUIRE(once.complete);
    REQUIRE(only_spurious(once));
    const search_result loops = search_here(what, looking::in_loops);
    CAPTURE(once.executions, loops.executions, loops.blocked, loops.message, loops.limits);
    outcome_set expected = outcomes_of(once);
    const bool livelock = expected.erase("livelock") != 0;
    expected.erase("stopped");
    if (livelock) {
        REQUIRE(loops.kind == violation_kind::livelock);
        REQUIRE(loops.message == "no thread can go on, and not all have finished");
        ++sums.livelocks;
    } else {
        REQUIRE(!loops.kind);
        REQUIRE(only_spurious(loops));
        ++(loops.limits.empty() ? sums.held : sums.within);
        require_outcomes_of_random_executions(what, expected);
    }
    if (loops.executions + loops.blocked < enough) REQUIRE(outcomes_of(loops) == expected);
}

template <class Make>
counts compare_programs(Make make) {
    const std::uint64_t first = rc11::first_seed();
    const std::uint64_t count = rc11::from_environment("ORDEAL_PROGRAMS", 300);
    counts sums;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        INFO(fmt::format("ORDEAL_SEED={} ORDEAL_PROGRAMS=1 makes this program alone", seed));
        maker random(seed);
        compare(make(random), sums);
    }
    CHECK(sums.held + sums.within + sums.livelocks == count);
    CHECK(sums.held > count / 20);
    return sums;
}

}  // namespace

TEST_CASE("Loops that poll several atomics have the outcomes of their last turn alone: two threads") {
    CHECK(compare_programs([](maker& random) { return random.any_program(2, 3); }).livelocks > 0);
}

TEST_CASE("Loops that poll several atomics have the outcomes of their last turn alone: three threads") {
    CHECK(compare_programs([](maker& random) { return random.any_program(3, 2); }).livelocks > 0);
}

TEST_CASE("Loops that poll several atomics and end whatever happens are no livelock") {
    CHECK(compare_programs([](maker& random) { return random.right_program(3); }).livelocks == 0);
}

TEST_CASE("Threads that take free slots of an array, one for each, are no livelock") {
    CHECK(compare_programs([](maker& random) { return random.right_slots(3); }).livelocks == 0);
}

}  // namespace ordeal::model_tests
