// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ordeal::detail::processors {

/// A binary relation on the numbers below `size`, with the operators of the papers on axiomatic memory models: `r * s`
/// is the composition r;s. Both operands have the same size.
class relation {
public:
    explicit relation(std::size_t size) : size_(size), words_((size + 63) / 64), bits_(size * words_) {}

    /// All pairs that `holds(from, to)` accepts.
    template <class Predicate>
    [[nodiscard]] static relation of(std::size_t size, Predicate holds) {
        relation result(size);
        for (std::size_t from = 0; from < size; ++from) {
            for (std::size_t to = 0; to < size; ++to) {
                if (holds(from, to)) result.add(from, to);
            }
        }
        return result;
    }

    void add(std::size_t from, std::size_t to) noexcept { row(from)[to / 64] |= std::uint64_t{1} << (to % 64); }
    [[nodiscard]] bool has(std::size_t from, std::size_t to) const noexcept {
        return (row(from)[to / 64] >> (to % 64) & 1) != 0;
    }

    friend relation operator|(relation left, const relation& right) {
        for (std::size_t i = 0; i < left.bits_.size(); ++i) left.bits_[i] |= right.bits_[i];
        return left;
    }
    friend relation operator&(relation left, const relation& right) {
        for (std::size_t i = 0; i < left.bits_.size(); ++i) left.bits_[i] &= right.bits_[i];
        return left;
    }
    friend bool operator==(const relation& left, const relation& right) { return left.bits_ == right.bits_; }
    friend relation operator*(const relation& left, const relation& right) {
        relation result(left.size_);
        for (std::size_t from = 0; from < left.size_; ++from) {
            for (std::size_t middle = 0; middle < left.size_; ++middle) {
                if (left.has(from, middle)) result.add_row(from, right, middle);
            }
        }
        return result;
    }

    /// The pairs from an event that `from` accepts to one that `to` accepts: [from];r;[to].
    template <class From, class To>
    [[nodiscard]] relation between(From from, To to) const {
        return of(size_, [&](std::size_t a, std::size_t b) { return has(a, b) && from(a) && to(b); });
    }

    /// r+, the transitive closure.
    [[nodiscard]] relation plus() const {
        relation result = *this;
        for (std::size_t middle = 0; middle < size_; ++middle) {
            for (std::size_t from = 0; from < size_; ++from) {
                if (result.has(from, middle)) result.add_row(from, result, middle);
            }
        }
        return result;
    }
    /// r?, the reflexive closure.
    [[nodiscard]] relation maybe() && {
        for (std::size_t i = 0; i < size_; ++i) add(i, i);
        return std::move(*this);
    }
    /// r*, the reflexive and transitive closure.
    [[nodiscard]] relation star() const { return plus().maybe(); }

    [[nodiscard]] bool irreflexive() const {
        for (std::size_t i = 0; i < size_; ++i) {
            if (has(i, i)) return false;
        }
        return true;
    }
    [[nodiscard]] bool acyclic() const { return plus().irreflexive(); }

private:
    void add_row(std::size_t to, const relation& other, std::size_t from) noexcept {
        for (std::size_t i = 0; i < words_; ++i) row(to)[i] |= other.row(from)[i];
    }
    [[nodiscard]] std::uint64_t* row(std::size_t from) noexcept { return bits_.data() + from * words_; }
    [[nodiscard]] const std::uint64_t* row(std::size_t from) const noexcept { return bits_.data() + from * words_; }

    std::size_t size_;
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

}  // namespace ordeal::detail::processors
