// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/events/footprint.hpp"

#include "ordeal/runtime/word.hpp"

#include <array>
#include <cstddef>

namespace ordeal::detail::graph {

namespace {

using object_bytes = std::array<std::byte, wide_size>;

}  // namespace

std::uint64_t footprint::part_of(std::uint64_t value) const noexcept {
    object_bytes all{};
    put_word_in(all.data(), of_size, value);
    return word_in(all.data() + offset, size);
}

std::uint64_t footprint::with_part(std::uint64_t value, std::uint64_t part) const noexcept {
    object_bytes all{};
    put_word_in(all.data(), of_size, value);
    put_word_in(all.data() + offset, size, part);
    return word_in(all.data(), of_size);
}

}  // namespace ordeal::detail::graph
