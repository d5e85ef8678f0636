// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/names/naming_log.hpp"

#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ranges>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_calls = 64;

// Unwinds until `done` returns true.
template <class Function>
void walk(calling_function function, Function done) {
    const int error = errno;
    for (std::size_t i = 0; function.address != 0 && i < most_calls; ++i) {
        const calling_function outer = caller_of(function, rule_for(function.address));
        if (done(running_function{function.address, function.stack, function.frame, outer.stack})) break;
        function = outer;
    }
    errno = error;
}

std::vector<std::uintptr_t> calls_from(const calling_function& innermost) {
    std::vector<std::uintptr_t> result;
    walk(innermost, [&](const running_function& each) {
        result.push_back(each.address);
        return false;
    });
    return result;
}

[[gnu::noinline]] std::vector<std::uintptr_t> calls_here() { return calls_from(caller_at(code_location_here(""))); }

std::optional<running_function> function_with(const calling_function& innermost, std::uintptr_t address) {
    std::optional<running_function> result;
    walk(innermost, [&](const running_function& each) {
        if (each.stack == 0 || each.stack > address || each.end == 0) return each.stack > address;
        if (address >= each.end) return false;
        result = each;
        return true;
    });
    return result;
}

}  // namespace

void naming_log::begin(bool wanted) {
    on_ = wanted;
    blocks_.clear();
    steps_.clear();
    locals_.clear();
    owners_.clear();
    throws_.clear();
    failed_.reset();
}

void naming_log::allocated(memory_range block, std::uint32_t step) {
    if (!on_) [[likely]]
        return;
    const harness_scope harness;
    blocks_.push_back({.where = block, .begins = step, .ends = 0, .calls = calls_here(), .second_word = 0});
}

void naming_log::freed(memory_range block, std::uint32_t step) {
    if (!on_) [[likely]]
        return;
    const auto known = std::ranges::find_if(blocks_ | std::views::reverse, [&](const logged_block& each) {
        return each.where.address == block.address && each.ends == 0;
    });
    if (known == blocks_.rend()) return;
    known->ends = step;
    if (block.size < 2 * sizeof(void*)) return;
    std::memcpy(&known->second_word, reinterpret_cast<const void*>(block.address + sizeof(void*)), sizeof(void*));
}

void naming_log::stepped(std::uint32_t step, int thread_id) {
    if (!on_) return;
    const harness_scope harness;
    steps_.push_back({step, thread_id, calls_here()});
}

void naming_log::threw(int thread_id) {
    if (!on_) [[likely]]
        return;
    const harness_scope harness;
    throws_[thread_id] = calls_here();
}

void naming_log::escaped(std::uint32_t step, int thread_id) {
    const auto found = throws_.find(thread_id);
    if (found == throws_.end()) return;
    const harness_scope harness;
    steps_.push_back({step, thread_id, found->second});
}

void naming_log::interrupted(std::uint32_t step, int thread_id, const calling_function& code) {
    if (!on_) return;
    const harness_scope harness;
    steps_.push_back({step, thread_id, calls_from(code)});
}

void naming_log::note_address(std::uint32_t step, std::uintptr_t address, int running, const stacks& all) {
    if (!on_) return;
    const harness_scope harness;
    const auto owner = all.thread_with(address);
    if (!owner) return note_first_word(address);
    owners_[address] = *owner;
    const calling_function innermost = *owner == running ? caller_at(code_location_here("")) : all.suspended_in(*owner);
    if (const auto function = function_with(innermost, address)) locals_[{step, address}] = *function;
}

// The destructors of the bases overwrite a virtual table, so its end would be too late.
void naming_log::note_first_word(std::uintptr_t address) {
    constexpr std::size_t most = 4;
    const auto live = std::ranges::find_if(blocks_ | std::views::reverse, [&](const logged_block& each) {
        return each.ends == 0 && address - each.where.address < each.where.size;
    });
    if (live == blocks_.rend() || live->where.size < sizeof(void*) || live->first_words.size() == most) return;
    std::uintptr_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(live->where.address), sizeof word);
    if (word != 0 && std::ranges::find(live->first_words, word) == live->first_words.end()) {
        live->first_words.push_back(word);
    }
}

void naming_log::failed(memory_range where, std::string_view words) {
    if (!on_) return;
    const harness_scope harness;
    failed_ = {where, std::string(words)};
}

const logged_step* naming_log::step(std::uint32_t index) const {
    const auto found = std::ranges::find(steps_ | std::views::reverse, index, &logged_step::index);
    return found == steps_.rend() ? nullptr : &*found;
}

// Another step may have found another function's variable there.
const running_function* naming_log::function_at(std::uint32_t step, std::uintptr_t address) const {
    const auto found = locals_.find({step, address});
    return found == locals_.end() ? nullptr : &found->second;
}

std::optional<int> naming_log::owner_of(std::uintptr_t address) const {
    const auto found = owners_.find(address);
    return found == owners_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ordeal::detail
