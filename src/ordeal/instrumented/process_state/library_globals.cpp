// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/library_globals.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/snapshot.hpp"
#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ordeal::detail {

namespace {

struct kept_word {
    std::uintptr_t address = 0;
    std::uint64_t before = 0;
};

// Of the current execution, each once, in the order of their addresses. Never destroyed: exit handlers may still run.
std::vector<kept_word>& kept() {
    static auto& instance = *new std::vector<kept_word>;
    return instance;
}

const std::vector<address_range>& globals() {
    static const auto& instance = []() -> const std::vector<address_range>& {
        const harness_scope harness;
        return *new std::vector<address_range>(library_globals_on_trial());
    }();
    return instance;
}

std::uint64_t word_at(std::uintptr_t address) noexcept {
    std::uint64_t result = 0;
    std::memcpy(&result, reinterpret_cast<const void*>(address), sizeof result);
    return result;
}

}  // namespace

void library_globals::note_write(memory_range where) {
    const auto has = [&](const address_range& each) { return each.contains(where.address); };
    if (std::ranges::none_of(globals(), has)) return;
    const harness_scope harness;
    constexpr std::uintptr_t size = sizeof(std::uint64_t);
    for (std::uintptr_t word = where.address & ~(size - 1); word < where.address + where.size; word += size) {
        const auto place = std::ranges::lower_bound(kept(), word, {}, &kept_word::address);
        if (place == kept().end() || place->address != word) kept().insert(place, {word, word_at(word)});
    }
}

void library_globals::begin_execution() noexcept {
    for (const kept_word& each : kept())
        std::memcpy(reinterpret_cast<void*>(each.address), &each.before, sizeof each.before);
    kept().clear();
}

std::vector<memory_range> library_globals::written() {
    std::vector<memory_range> result;
    for (const kept_word& each : kept()) result.push_back({each.address, sizeof each.before});
    return result;
}

void library_globals::save(snapshot& to) {
    if (!kept().empty()) to.mark_incomplete();
}

void library_globals::restore(snapshot& /*from*/) { begin_execution(); }

std::uint64_t library_globals::fingerprint() noexcept {
    std::uint64_t result = 0;
    for (const kept_word& each : kept())
        result = hash_of_number(each.address, hash_of_number(word_at(each.address), result));
    return result;
}

}  // namespace ordeal::detail
