// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ordeal::model_tests::rc11 {

namespace {

constexpr std::string_view location_names = "xyzmns";

char name_of(int location) { return location_names[static_cast<std::size_t>(location)]; }

std::string to_string(const instruction& each) {
    const char where = name_of(each.location);
    const std::string_view how = ordeal::to_string(each.using_order);
    switch (each.what) {
        case operation::load: return fmt::format("{}.load({})", where, how);
        case operation::store:
            if (each.source != none) return fmt::format("{}.store(r{}, {})", where, each.source, how);
            return fmt::format("{}.store({}, {})", where, each.value, how);
        case operation::exchange: return fmt::format("{}.exchange({}, {})", where, each.value, how);
        case operation::fetch_add: return fmt::format("{}.fetch_add({}, {})", where, each.value, how);
        case operation::compare_exchange:
            return fmt::format("{}.compare_exchange({} -> {}, {}, {})", where, each.expected, each.value, how,
                               ordeal::to_string(each.failure));
        case operation::fence: return fmt::format("fence({})", how);
        case operation::lock: return fmt::format("{}.lock()", where);
        case operation::try_lock: return fmt::format("{}.try_lock()", where);
        case operation::unlock: return fmt::format("{}.unlock()", where);
        case operation::acquire: return fmt::format("{}.acquire()", where);
        case operation::release: return fmt::format("{}.release()", where);
    }
    return {};
}

}  // namespace

std::size_t locations_of(const program& what) {
    int highest = 0;
    for (const thread_code& code : what.threads) {
        for (const instruction& each : code) highest = std::max(highest, each.location);
    }
    return static_cast<std::size_t>(highest) + 1;
}

bool gives_back_what_it_took(const program& what) {
    return std::ranges::all_of(what.threads, [](const thread_code& code) {
        std::vector<instruction> held;  // as the unlock of each has to be
        for (std::size_t i = 0; i < code.size(); ++i) {
            const instruction& each = code[i];
            if (each.what == operation::lock) {
                held.push_back(unlock(each.location));
                if (each.guard != none) held.back() = held.back().when(each.guard, each.guard_value);
            } else if (each.what == operation::try_lock) {
                held.push_back(unlock(each.location).when(static_cast<int>(i), 1));
            } else if (each.what == operation::unlock && std::erase(held, each) != 1) {
                return false;
            }
        }
        return held.empty();
    });
}

std::string outcome_text(const program& what, std::span<const register_file> registers, std::span<const int> values) {
    std::string text;
    for (std::size_t thread = 0; thread < what.threads.size(); ++thread) {
        text += std::to_string(thread) + ':';
        std::string_view separator;
        for (std::size_t i = 0; i < what.threads[thread].size(); ++i) {
            if (!has_register(what.threads[thread][i].what)) continue;
            const std::optional<int>& held = registers[thread][i];
            text += separator;
            text += held ? std::to_string(*held) : "-";
            separator = ",";
        }
        text += '|';
    }
    for (std::size_t location = 0; location < values.size(); ++location) {
        if (location != 0) text += ',';
        text += location_names[location];
        text += '=' + std::to_string(values[location]);
    }
    return text;
}

std::string to_string(const program& what) {
    std::string text;
    for (std::size_t thread = 0; thread < what.threads.size(); ++thread) {
        text += fmt::format("{}:", thread);
        for (std::size_t i = 0; i < what.threads[thread].size(); ++i) {
            const instruction& each = what.threads[thread][i];
            text += i == 0 ? " " : "; ";
            if (each.guard != none) text += fmt::format("if (r{} == {}) ", each.guard, each.guard_value);
            if (has_register(each.what)) text += fmt::format("r{} = ", i);
            text += to_string(each);
        }
        text += '\n';
    }
    return text;
}

}  // namespace ordeal::model_tests::rc11
