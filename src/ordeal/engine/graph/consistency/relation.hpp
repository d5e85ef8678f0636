// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// A relation over the events of one graph, as a bit matrix.
class relation {
public:
    void reset(std::size_t size) {
        words_ = (size + 63) / 64;
        bits_.assign(size * words_, 0);
    }
    void add(std::size_t from, std::size_t to) noexcept { row(from)[to / 64] |= std::uint64_t{1} << (to % 64); }
    [[nodiscard]] bool has(std::size_t from, std::size_t to) const noexcept {
        return (row(from)[to / 64] >> (to % 64) & 1) != 0;
    }
    /// Relates `from` to everything that `other` relates `through` to.
    void add_row(std::size_t from, const relation& other, std::size_t through) noexcept {
        for (std::size_t i = 0; i < words_; ++i) row(from)[i] |= other.row(through)[i];
    }
    /// Whether `from` and, in `other`, `to` are related to a common event.
    [[nodiscard]] bool meets(std::size_t from, const relation& other, std::size_t to) const noexcept {
        std::uint64_t common = 0;
        for (std::size_t i = 0; i < words_; ++i) common |= row(from)[i] & other.row(to)[i];
        return common != 0;
    }
    /// Calls `what` with each event that `from` is related to.
    template <class Call>
    void for_each(std::size_t from, Call what) const {
        for (std::size_t i = 0; i < words_; ++i) {
            for (std::uint64_t rest = row(from)[i]; rest != 0; rest &= rest - 1) {
                what(64 * i + static_cast<std::size_t>(std::countr_zero(rest)));
            }
        }
    }

private:
    [[nodiscard]] std::uint64_t* row(std::size_t from) noexcept { return bits_.data() + from * words_; }
    [[nodiscard]] const std::uint64_t* row(std::size_t from) const noexcept { return bits_.data() + from * words_; }

    std::size_t words_ = 0;
    std::vector<std::uint64_t> bits_;
};

}  // namespace ordeal::detail::graph
