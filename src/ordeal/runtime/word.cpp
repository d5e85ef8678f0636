// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/word.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <unordered_map>
#include <vector>

namespace ordeal {

using namespace detail;

namespace {

struct hash_of_value {
    std::size_t operator()(const wide_value& value) const noexcept {
        return hash_of_number(value.second, hash_of_number(value.first, 0));
    }
};

struct numbers {
    std::vector<wide_value> values{{}};
    std::unordered_map<wide_value, std::uint64_t, hash_of_value> known{{{}, 0}};
};

// Never shrinks: words in graphs, snapshots and shadow memory have these numbers.
numbers& all_numbers() {
    static numbers instance;
    return instance;
}

// Numbers of 64 or of 128 bits.
template <class Number>
Number changed(modification how, Number before, Number operand) noexcept {
    switch (how) {
        case modification::exchange: break;
        case modification::add: return before + operand;
        case modification::subtract: return before - operand;
        case modification::bit_and: return before & operand;
        case modification::bit_or: return before | operand;
        case modification::bit_xor: return before ^ operand;
        case modification::bit_nand: return ~(before & operand);
    }
    return operand;
}

__extension__ using number128 = unsigned __int128;

number128 number_in(std::uint64_t word) noexcept {
    const wide_value value = wide_value_of(word);
    return number128{value.second} << 64 | value.first;
}

}  // namespace

std::uint64_t number_of(const wide_value& value) {
    const harness_scope harness;
    numbers& all = all_numbers();
    const auto [found, added] = all.known.emplace(value, all.values.size());
    if (added) all.values.push_back(value);
    return found->second;
}

wide_value wide_value_of(std::uint64_t number) noexcept {
    const harness_scope harness;
    return all_numbers().values.at(number);
}

std::uint64_t changed_word(modification how, std::uint64_t before, std::uint64_t operand, std::size_t size) noexcept {
    if (size == wide_size) {
        if (how == modification::exchange) return operand;
        const number128 result = changed(how, number_in(before), number_in(operand));
        return number_of({static_cast<std::uint64_t>(result), static_cast<std::uint64_t>(result >> 64)});
    }
    const std::uint64_t result = changed(how, before, operand);
    return size < sizeof(result) ? result & ((std::uint64_t{1} << (8 * size)) - 1) : result;
}

}  // namespace ordeal
