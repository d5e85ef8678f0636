// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <sstream>

namespace ordeal::model_tests {

namespace {

using rc11::instruction;
using rc11::operation;
using rc11::program;

std::memory_order to_std(order value) {
    constexpr std::array all{relaxed, acquire, release, acq_rel, seq_cst};
    return all[static_cast<std::size_t>(value)];
}

const program* current = nullptr;

// A place in the source for each instruction, as if it had been written out: the model knows a site by its place.
constexpr std::source_location at(std::source_location here = std::source_location::current()) { return here; }
constexpr std::array<std::array<std::source_location, rc11::max_instructions>, rc11::max_threads> places{{
    {at(), at(), at(), at()},
    {at(), at(), at(), at()},
    {at(), at(), at(), at()},
    {at(), at(), at(), at()},
}};

// One execution of the current program.
class program_run {
public:
    void run(int thread) {
        const auto number = static_cast<std::size_t>(thread);
        const rc11::thread_code& code = current->threads[number];
        rc11::register_file& held = registers_[number];
        for (std::size_t i = 0; i < code.size(); ++i) {
            const instruction& each = code[i];
            if (each.guard != rc11::none && held[static_cast<std::size_t>(each.guard)] != each.guard_value) continue;
            held[i] = perform(each, held, places[number][i]);
        }
    }
    void finish() {
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = locations_[i].load(relaxed);
    }
    [[nodiscard]] std::string outcome() const { return outcome_text(*current, registers_, values_); }

private:
    std::optional<int> perform(const instruction& each, const rc11::register_file& held,
                               const std::source_location& place) {
        auto& where = locations_[static_cast<std::size_t>(each.location)];
        const std::memory_order how = to_std(each.using_order);
        switch (each.what) {
            case operation::load: return where.load(how, place);
            case operation::exchange: return where.exchange(each.value, how, place);
            case operation::fetch_add: return where.fetch_add(each.value, how, place);
            case operation::compare_exchange: {
                int seen = each.expected;
                where.compare_exchange_strong(seen, each.value, how, to_std(each.failure), place);
                return seen;
            }
            case operation::store: {
                const bool copies = each.source != rc11::none;
                where.store(copies ? held[static_cast<std::size_t>(each.source)].value_or(0) : each.value, how, place);
                break;
            }
            case operation::fence: model_policy::fence(how, place); break;
            default: break;  // no litmus test has a lock
        }
        return std::nullopt;
    }

    std::array<model_policy::atomic<int>, rc11::max_locations> locations_;
    std::array<rc11::register_file, rc11::max_threads> registers_{};
    std::array<int, rc11::max_locations> values_{};
};

bool writes(const instruction& each) { return each.what != operation::load && each.what != operation::fence; }

bool written_by_several(const program& text, std::size_t location) {
    const auto by = std::ranges::count_if(text.threads, [&](const rc11::thread_code& code) {
        return std::ranges::any_of(code, [&](const instruction& each) {
            return writes(each) && static_cast<std::size_t>(each.location) == location;
        });
    });
    return by > 1;
}

std::string suffix(order how) {
    constexpr std::array names{"rlx", "acq", "rel", "acq_rel", "sc"};
    return std::string(".") + names[static_cast<std::size_t>(how)];
}

std::string short_text(const instruction& each) {
    const std::string where(1, "xyz"[each.location]);
    const std::string how = each.using_order == order::relaxed ? "" : suffix(each.using_order);
    const std::string value = std::to_string(each.value);
    switch (each.what) {
        case operation::load: return where + how;
        case operation::store:
            return where + how + "=" + (each.source == rc11::none ? value : "r" + std::to_string(each.source));
        case operation::exchange: return where + ".swap" + how + "(" + value + ")";
        case operation::fetch_add: return where + ".add" + how + "(" + value + ")";
        case operation::compare_exchange:
            return where + ".cas" + suffix(each.using_order) + suffix(each.failure) + "(" +
                   std::to_string(each.expected) + "," + value + ")";
        case operation::fence: return "F" + suffix(each.using_order);
        default: break;
    }
    return {};
}

bool used(const rc11::thread_code& code, std::size_t number) {
    const int wanted = static_cast<int>(number);
    return std::ranges::any_of(code,
                               [&](const instruction& each) { return each.source == wanted || each.guard == wanted; });
}

}  // namespace

std::string short_text(const program& text) {
    std::string result;
    for (const rc11::thread_code& code : text.threads) {
        if (!result.empty()) result += " ‖ ";
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (i != 0) result += "; ";
            if (code[i].guard != rc11::none) {
                result += "if r" + std::to_string(code[i].guard) + "==" + std::to_string(code[i].guard_value) + ": ";
            }
            if (used(code, i)) result += "r" + std::to_string(i) + ":=";
            result += short_text(code[i]);
        }
    }
    return result;
}

std::string shortened(const program& text, const std::string& outcome) {
    // "0:1,0|1:2,-|x=1,y=2"
    std::vector<std::string> parts;
    std::istringstream in(outcome);
    for (std::string part; std::getline(in, part, '|');) parts.push_back(part);
    std::string result;
    const auto append = [&](const std::string& value) { result += (result.empty() ? "" : ",") + value; };
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const std::string registers = parts[i].substr(parts[i].find(':') + 1);
        if (!registers.empty()) append(registers);
    }
    std::istringstream values(parts.back());
    std::size_t location = 0;
    for (std::string value; std::getline(values, value, ','); ++location) {
        if (written_by_several(text, location)) append(value.substr(value.find('=') + 1));
    }
    return result;
}

litmus_row runs(std::string_view name, program text, const outcome_set& outcomes) {
    litmus_row row{{}, outcomes, {outcomes, {}, {}}, {outcomes, {}, {}}};
    row.what.name = name;
    for (std::size_t i = 0; i < text.threads.size(); ++i) row.what.threads.emplace_back(four_threads[i]);
    row.what.model = detail::body_of<program_run>();
    row.text = std::move(text);
    return row;
}

// Threads that never meet are a result here: that no load buffering comes out of thin air, say. A search would call them
// inconclusive, so each reads one more cell, which makes no execution.
scenario scenario_of(const litmus_row& row) {
    if (row.text) current = &*row.text;
    static scenario_body inner;
    static const int cell = 0;
    static constexpr auto common = [] { return memory_range{reinterpret_cast<std::uintptr_t>(&cell), sizeof cell}; };
    inner = row.what.model;
    scenario result = row.what;
    result.model.construct = [](void* storage) {
        current_runtime().begin_life(common(), object_kind::cell, 1, no_site);
        inner.construct(storage);
    };
    result.model.run = [](void* object, int thread) {
        current_runtime().read(common(), no_site);
        inner.run(object, thread);
    };
    result.model.destroy = [](void* object) {
        inner.destroy(object);
        current_runtime().end_life(common(), no_site);
    };
    return result;
}

outcome_set all_of(std::initializer_list<std::initializer_list<int>> columns) {
    outcome_set result{""};
    for (const auto& column : columns) {
        outcome_set longer;
        for (const std::string& begun : result) {
            for (const int value : column) longer.insert((begun.empty() ? "" : begun + ",") + std::to_string(value));
        }
        result = std::move(longer);
    }
    return result;
}

}  // namespace ordeal::model_tests
