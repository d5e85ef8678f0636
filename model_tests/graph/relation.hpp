// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ordeal::model_tests::rc11 {

/// A binary relation on the numbers below `size`, as a matrix of booleans, with the operators of the papers on
/// axiomatic memory models: `r * s` is the composition r;s.
class relation {
public:
    static constexpr std::size_t capacity = 64;

    explicit relation(std::size_t size) : size_(size) {}

    [[nodiscard]] static relation identity(std::size_t size) {
        relation result(size);
        for (std::size_t i = 0; i < size; ++i) result.add(i, i);
        return result;
    }

    void add(std::size_t from, std::size_t to) { rows_[from] |= bit(to); }
    [[nodiscard]] bool has(std::size_t from, std::size_t to) const { return (rows_[from] & bit(to)) != 0; }

    friend relation operator|(relation left, const relation& right) {
        for (std::size_t i = 0; i < left.size_; ++i) left.rows_[i] |= right.rows_[i];
        return left;
    }
    friend relation operator&(relation left, const relation& right) {
        for (std::size_t i = 0; i < left.size_; ++i) left.rows_[i] &= right.rows_[i];
        return left;
    }
    friend relation operator-(relation left, const relation& right) {
        for (std::size_t i = 0; i < left.size_; ++i) left.rows_[i] &= ~right.rows_[i];
        return left;
    }
    friend relation operator*(const relation& left, const relation& right) {
        relation result(left.size_);
        for (std::size_t i = 0; i < left.size_; ++i) {
            for (std::size_t j = 0; j < left.size_; ++j) {
                if (left.has(i, j)) result.rows_[i] |= right.rows_[j];
            }
        }
        return result;
    }

    [[nodiscard]] relation inverse() const {
        relation result(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t j = 0; j < size_; ++j) {
                if (has(i, j)) result.add(j, i);
            }
        }
        return result;
    }

    /// r?, the reflexive closure.
    [[nodiscard]] relation maybe() const { return *this | identity(size_); }

    /// r+, the transitive closure.
    [[nodiscard]] relation plus() const {
        relation result = *this;
        for (std::size_t middle = 0; middle < size_; ++middle) {
            for (std::size_t i = 0; i < size_; ++i) {
                if (result.has(i, middle)) result.rows_[i] |= result.rows_[middle];
            }
        }
        return result;
    }

    /// r*, the reflexive and transitive closure.
    [[nodiscard]] relation star() const { return plus().maybe(); }

    [[nodiscard]] bool empty() const {
        for (std::size_t i = 0; i < size_; ++i) {
            if (rows_[i] != 0) return false;
        }
        return true;
    }
    [[nodiscard]] bool irreflexive() const { return (*this & identity(size_)).empty(); }
    [[nodiscard]] bool acyclic() const { return plus().irreflexive(); }

private:
    [[nodiscard]] static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i; }

    std::size_t size_;
    std::array<std::uint64_t, capacity> rows_{};
};

}  // namespace ordeal::model_tests::rc11
