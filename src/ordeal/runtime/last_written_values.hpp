// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ordeal::last_written_values {

// The values that operations last wrote to the bytes of each atomic of the code on trial. If the bytes hold anything
// else, uninstrumented code has reused the memory since, and the atomic no longer exists. Libraries reuse stack memory
// that way, frame after frame.

struct entry {
    std::uintptr_t address = 0;
    std::uint64_t value = 0;
};

// Entries that do not fit are unknown.
inline constexpr std::size_t room = 512;
inline constinit std::array<entry, room> entries{};
// Indices of the entries in use; few in an execution.
inline constinit std::array<std::uint16_t, room> used{};
inline constinit std::size_t used_count = 0;

[[nodiscard]] inline entry* entry_for(std::uintptr_t address) noexcept {
    constexpr std::size_t tries = 8;
    const std::size_t begin = (address >> 2) * 0x9e3779b97f4a7c15u >> 32;
    for (std::size_t i = 0; i < tries; ++i) {
        entry& each = entries[(begin + i) % room];
        if (each.address == address || each.address == 0) return &each;
    }
    return nullptr;
}

inline void note(std::uintptr_t address, std::uint64_t value) noexcept {
    entry* const found = entry_for(address);
    if (found == nullptr) return;
    if (found->address == 0) used[used_count++] = static_cast<std::uint16_t>(found - entries.data());
    *found = {address, value};
}

/// Nothing if it is unknown.
[[nodiscard]] inline std::optional<std::uint64_t> at(std::uintptr_t address) noexcept {
    const entry* const found = entry_for(address);
    if (found == nullptr || found->address == 0) return std::nullopt;
    return found->value;
}

/// Called before each execution.
inline void clear() noexcept {
    while (used_count != 0) entries[used[--used_count]] = {};
}

inline void save(snapshot& to) {
    to.put(used_count);
    for (std::size_t i = 0; i < used_count; ++i) {
        to.put(used[i]);
        to.put(entries[used[i]]);
    }
}

inline void restore(snapshot& from) {
    clear();
    from.take(used_count);
    for (std::size_t i = 0; i < used_count; ++i) {
        from.take(used[i]);
        from.take(entries[used[i]]);
    }
}

}  // namespace ordeal::last_written_values
