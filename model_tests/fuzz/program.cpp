// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace ordeal::model_tests::fuzz {

namespace {

constexpr std::array<std::string_view, 41> names{
    "load",
    "store",
    "exchange",
    "fetch_add",
    "compare_exchange",
    "compare_exchange_weak",
    "load_until",
    "load_either_until",
    "exchange_until",
    "wait",
    "notify_one",
    "notify_all",
    "fence",
    "read",
    "write",
    "lock",
    "try_lock",
    "lock_until",
    "unlock",
    "lock_shared",
    "try_lock_shared",
    "unlock_shared",
    "lock_exclusive",
    "try_lock_exclusive",
    "unlock_exclusive",
    "condition_wait",
    "condition_wait_until",
    "condition_wait_for",
    "condition_notify_one",
    "condition_notify_all",
    "acquire",
    "try_acquire",
    "try_acquire_for",
    "release",
    "count_down",
    "await_count",
    "try_await_count",
    "poll_until",
    "take_until",
    "store_until",
    "again",
};
static_assert(static_cast<std::size_t>(operation::again) + 1 == names.size());

program current;

[[noreturn]] void wrong(std::string_view line) { throw std::runtime_error("no instruction: " + std::string(line)); }

// The fields as they are written; those that have their usual values are left out.
struct field {
    std::string_view name;
    std::int8_t instruction::* member;
    int highest;
};
constexpr std::array<field, 6> fields{{
    {"object", &instruction::object, 2},
    {"other", &instruction::other, 2},
    {"value", &instruction::value, 3},
    {"expected", &instruction::expected, 3},
    {"source", &instruction::source, 7},
    {"target", &instruction::target, 7},
}};

std::string to_string(const instruction& each) {
    std::string text(names[static_cast<std::size_t>(each.what)]);
    const instruction usual;
    for (const field& one : fields) {
        if (each.*one.member != usual.*one.member) text += fmt::format(" {}={}", one.name, each.*one.member);
    }
    if (each.using_order != usual.using_order) text += fmt::format(" order={}", ordeal::to_string(each.using_order));
    if (each.failure != usual.failure) text += fmt::format(" failure={}", ordeal::to_string(each.failure));
    if (each.guard != none) {
        text += fmt::format(" if=r{}{}{}", each.guard, each.unless ? "!=" : "==", each.guard_value);
    }
    return text;
}

int number(std::string_view text, int highest, std::string_view line) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > highest) wrong(line);
    return value;
}

order parse_order(std::string_view text, std::string_view line) {
    for (const order each : {order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst}) {
        if (ordeal::to_string(each) == text) return each;
    }
    wrong(line);
}

void parse_guard(std::string_view text, instruction& to, std::string_view line) {
    if (text.size() != 5 || text[0] != 'r' || text[3] != '=' || (text[2] != '=' && text[2] != '!')) wrong(line);
    to.guard = static_cast<std::int8_t>(number(text.substr(1, 1), max_instructions - 1, line));
    to.unless = text[2] == '!';
    to.guard_value = static_cast<std::int8_t>(number(text.substr(4), 9, line));
}

void parse_part(std::string_view part, instruction& to, std::string_view line) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) wrong(line);
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    if (name == "order") {
        to.using_order = parse_order(value, line);
    } else if (name == "failure") {
        to.failure = parse_order(value, line);
    } else if (name == "if") {
        parse_guard(value, to, line);
    } else {
        const auto* const found = std::ranges::find(fields, name, &field::name);
        if (found == fields.end()) wrong(line);
        to.*found->member = static_cast<std::int8_t>(number(value, found->highest, line));
    }
}

instruction parse_instruction(const std::string& line) {
    std::istringstream parts(line);
    std::string part;
    parts >> part;
    const auto* const name = std::ranges::find(names, part);
    if (name == names.end()) wrong(line);
    instruction result{.what = static_cast<operation>(name - names.begin())};
    while (parts >> part) parse_part(part, result, line);
    return result;
}

}  // namespace

bool is_loop(operation what) {
    return what == operation::load_until || what == operation::load_either_until || what == operation::exchange_until ||
           what == operation::lock_until || what == operation::poll_until || what == operation::take_until ||
           what == operation::store_until;
}

bool has_loops(const program& what) {
    return std::ranges::any_of(std::span(what.threads).first(what.size), [](const thread_code& code) {
        return std::ranges::any_of(std::span(code.at).first(code.size), [](const instruction& each) {
            return is_loop(each.what) || each.what == operation::wait ||
                   (each.what >= operation::condition_wait && each.what <= operation::try_await_count);
        });
    });
}

bool policy_has(operation what) { return what <= operation::unlock || what == operation::again; }

bool policy_has(const program& what) {
    return std::ranges::all_of(std::span(what.threads).first(what.size), [](const thread_code& code) {
        return std::ranges::all_of(std::span(code.at).first(code.size),
                                   [](const instruction& each) { return policy_has(each.what); });
    });
}

std::string to_string(const program& what) {
    std::string text;
    for (std::size_t thread = 0; thread < what.size; ++thread) {
        text += "thread\n";
        const thread_code& code = what.threads[thread];
        for (std::size_t i = 0; i < code.size; ++i) text += "  " + to_string(code.at[i]) + '\n';
    }
    return text;
}

program parse(std::string_view text) {
    program result;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        line.erase(0, line.find_first_not_of(' '));
        if (line.empty() || line.starts_with('#')) continue;
        if (line == "thread") {
            if (result.size == max_threads) wrong("more than three threads");
            ++result.size;
            continue;
        }
        if (result.size == 0) wrong(line);
        thread_code& code = result.threads[result.size - 1];
        if (code.size == max_instructions) wrong("more than eight in a thread");
        code.at[code.size++] = parse_instruction(line);
    }
    if (result.size == 0) wrong("a program without threads");
    return result;
}

const program& current_program() { return current; }
void set_current_program(const program& what) { current = what; }

}  // namespace ordeal::model_tests::fuzz
