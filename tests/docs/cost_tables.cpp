// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost_tables.hpp"

#include "ordeal/audit/cost/instruction_cost.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ordeal::docs {

using namespace detail;

namespace {

constexpr std::array all_orders{order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst};
// One of the fetch operations stands for all, and the strong compare-exchange for the weak one.
constexpr std::array operations{atomic_operation::load,
                                atomic_operation::store,
                                atomic_operation::exchange,
                                atomic_operation::fetch_add,
                                atomic_operation::compare_exchange_strong,
                                atomic_operation::fence};

// Orders with the same instructions.
struct group {
    instruction_sequence instructions;
    lines orders;
};

void add(std::vector<group>& groups, const std::string& name, const instruction_sequence& instructions) {
    auto found = std::ranges::find(groups, instructions, &group::instructions);
    if (found == groups.end()) found = groups.insert(found, {instructions, {}});
    found->orders.push_back(name);
}

// Whether failure asks for no more than success does.
bool usual(order success, order failure) {
    return failure == order::relaxed || success == order::seq_cst || (failure == order::acquire && acquires(success));
}

std::vector<group> groups_of(target on, atomic_operation what) {
    std::vector<group> result;
    for (const order using_order : all_orders) {
        for (const order failure : all_orders) {
            const auto found = instructions_of(on, what, usual_width, using_order, failure);
            if (!found || !usual(using_order, failure)) continue;
            std::string name(to_string(using_order));
            if (is_compare_exchange(what)) name.append("/").append(to_string(failure));
            add(result, name, *found);
            if (!is_compare_exchange(what)) break;  // there is no second order
        }
    }
    return result;
}

std::string joined(const lines& words) {
    std::string result;
    for (const std::string& each : words) result += (result.empty() ? "" : ", ") + each;
    return result;
}

std::string code(const instruction_sequence& value) {
    return value.text.empty() ? to_string(value) : "`" + to_string(value) + "`";
}

}  // namespace

bool is_cost_table(const directive& of) {
    const lines words = words_of(of.argument);
    return of.kind == "table" && words.size() == 4 && words[0] == "instructions" && words[2] == "clang";
}

bool is_of_this_compiler(const directive& of) {
    const lines words = words_of(of.argument);
    return instruction_compiler().starts_with(words.at(2) + " " + words.at(3) + ".");
}

lines cost_table(const directive& of) {
    const auto on = parse_target(words_of(of.argument).at(1));
    if (!on) throw std::runtime_error("no target of that name: " + of.argument);
    if (const std::string why = why_absent(*on); !why.empty()) throw std::runtime_error(why);
    lines result{"| operation | order | instructions | cost |", "|---|---|---|---|"};
    for (const atomic_operation what : operations) {
        const std::vector<group> groups = groups_of(*on, what);
        for (const group& each : groups) {
            const std::string orders = groups.size() == 1 ? "any" : joined(each.orders);
            result.push_back("| " + std::string(to_string(what)) + " | " + orders + " | " + code(each.instructions) +
                             " | " + std::to_string(each.instructions.cost) + " |");
        }
    }
    return result;
}

}  // namespace ordeal::docs
