// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/polling_program.hpp"

#include "model_tests/graph/loop_outcome.hpp"
#include "model_tests/graph/numbered_site.hpp"

#include "ordeal/runtime/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <source_location>
#include <span>

namespace ordeal::model_tests::polling {

namespace {

using values_of_locations = std::array<std::uint64_t, locations>;

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
        for (std::uint64_t& each : shared_) current_runtime().begin_life(range(each), object_kind::atomic, 0, no_site);
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter() {
        for (std::uint64_t& each : shared_) current_runtime().end_life(range(each), no_site);
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
        for (std::size_t i = 0; i < locations; ++i)
            last[i] = current_runtime().load({range(shared_[i]), order::relaxed, no_site});
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
            case operation::load: result = current_runtime().load(access); return true;
            case operation::store: current_runtime().store(access, each.value); return true;
            case operation::add: result = current_runtime().modify(access, modification::add, each.value); return true;
            case operation::fence: current_runtime().fence(order::seq_cst, access.site); return true;
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
        current_runtime().yield(site_of(number, other_part));
    }

    std::uint64_t load(const instruction& each, std::size_t number, std::size_t part, std::size_t location) {
        return current_runtime().load({range(shared_[location]), each.using_order, site_of(number, part)});
    }
    bool take(const instruction& each, std::size_t number, std::size_t part, std::size_t location) {
        std::uint64_t expected = each.value;
        const bool weakly = each.what == operation::take_slot_weakly;
        return current_runtime().compare_exchange({range(shared_[location]), each.using_order, site_of(number, part)},
                                                  order::relaxed, site_of(number, failure_part), weakly, expected,
                                                  each.value + 2);
    }

    // One iteration of a loop: whether it ends it, and by what.
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
                    if (each.between == pause::yield) current_runtime().yield(site_of(number, other_part));
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

}  // namespace

scenario as_scenario(const program& what, looking how) {
    current = &what;
    how_to_look = how;
    scenario result;
    result.name = "a random program that polls";
    result.threads.assign(what.size(), "thread");
    result.model = detail::body_of<interpreter>();
    return result;
}

program any_program(std::uint64_t seed, std::size_t threads, std::size_t instructions) {
    return maker(seed).any_program(threads, instructions);
}

program right_program(std::uint64_t seed, std::size_t threads) { return maker(seed).right_program(threads); }

program right_slots(std::uint64_t seed, std::size_t threads) { return maker(seed).right_slots(threads); }

std::string to_string(const program& what) {
    constexpr std::array names{"load",     "store",  "add",    "fence",     "any of",
                               "in turns", "all of", "differ", "take slot", "take slot weakly",
                               "nested"};
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

}  // namespace ordeal::model_tests::polling
