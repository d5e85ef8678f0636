// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/state/mixed_sizes.hpp"

#include "ordeal/runtime/word.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>

namespace ordeal::detail::graph {

accessed_bytes mixed_sizes::find(memory_range access) const noexcept {
    const auto after = known_.upper_bound(access.address);
    if (after == known_.begin()) return {access, {}};
    const auto& [address, size] = *std::prev(after);
    const std::uintptr_t offset = access.address - address;
    if (offset + access.size > size) return {access, {}};
    return {
        {address, size},
        {static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(access.size), static_cast<std::uint8_t>(size)}};
}

// A larger one takes the place of those in it.
void mixed_sizes::learn(const mixed_ranges& more) {
    for (const auto& [address, size] : more) {
        const accessed_bytes known = find({address, size});
        if (known.bytes.is_mixed()) continue;
        known_.erase(known_.lower_bound(address), known_.lower_bound(address + size));
        known_[address] = size;
    }
}

memory_range mixed_sizes::joined(memory_range a, memory_range b) noexcept {
    const std::uintptr_t first = std::min(a.address, b.address);
    const std::size_t size = std::max(a.address + a.size, b.address + b.size) - first;
    const bool fits = std::has_single_bit(size) && size <= wide_size && first % size == 0;
    return fits ? memory_range{first, size} : memory_range{};
}

}  // namespace ordeal::detail::graph
