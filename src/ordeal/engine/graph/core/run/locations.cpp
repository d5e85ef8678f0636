// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/locations.hpp"

#include "ordeal/engine/graph/core/run/fibers.hpp"
#include "ordeal/runtime/memory/heap.hpp"

namespace ordeal::detail::graph {

namespace {

// By address, from the top bit: 1, whether it is the associated lock, 14 bits of incarnation, whether it has 16 bytes,
// 47 of address.
constexpr location by_address = location{1} << 63;
constexpr location is_associated_lock = location{1} << 62;
constexpr unsigned incarnation_shift = 48;
constexpr location has_16_bytes = location{1} << 47;  // also for locations by constructing thread
constexpr location address_bits = has_16_bytes - 1;
constexpr location incarnations = location{1} << 14;
constexpr unsigned ordinal_bits = 24;

}  // namespace

location at_address(std::uintptr_t address, std::uint64_t incarnation, bool associated_lock) noexcept {
    return by_address | (associated_lock ? is_associated_lock : 0) | (incarnation % incarnations) << incarnation_shift |
           (address & address_bits);
}

location wide(location where) noexcept { return where | has_16_bytes; }

bool is_wide(location where) noexcept { return where != no_location && (where & has_16_bytes) != 0; }

location associated_lock(location where) noexcept { return where | is_associated_lock; }

std::uint64_t incarnation_of(location where) noexcept { return where >> incarnation_shift & (incarnations - 1); }

bool is_at_address(location where, std::uintptr_t address) noexcept {
    return at_address(address, incarnation_of(where), false) == (where & ~has_16_bytes);
}

std::optional<own_location> owner_of(location where) noexcept {
    if (where == no_location) return std::nullopt;
    if ((where & by_address) == 0) {
        const location index = where & (has_16_bytes | ((location{1} << ordinal_bits) - 1));
        return own_location{static_cast<int>((where & ~has_16_bytes) >> ordinal_bits), index};
    }
    const std::uintptr_t address = where & address_bits;
    const location rest = where & ~address_bits;
    if (const auto block = heap::owner_of(address)) return own_location{block->thread + 1, rest | block->offset};
    if (const auto variable = fibers::owner_of(address))
        return own_location{variable->thread_id, rest | variable->offset};
    return std::nullopt;
}

}  // namespace ordeal::detail::graph
