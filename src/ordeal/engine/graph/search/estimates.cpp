// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/estimates.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <cmath>
#include <cstddef>
#include <optional>

namespace ordeal::detail::graph {

namespace {

/// Takes the first choice or one of the revisits of each new event at random, and leaves the run if it is not the one
/// that the run continues with.
class random_way final : public strategy {
public:
    explicit random_way(std::mt19937_64& random) : strategy(kind::explores), random_(random) {}

    void emit(const execution_graph& revisit) override { revisits_.push_back(revisit); }

    bool go_on() override {
        const std::size_t count = revisits_.size() + 1;
        weight_ *= static_cast<double>(count);
        const std::size_t chosen = std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
        turned_ = chosen != 0;
        if (turned_) next_ = revisits_[chosen - 1];
        revisits_.clear();
        return !turned_;
    }

    /// The estimated number of leaves by this path; nothing if there was no time to complete it.
    std::optional<double> follow(execution_runner& runner, std::chrono::steady_clock::time_point until) {
        execution_graph graph;
        for (;;) {
            if (stop_requested() || std::chrono::steady_clock::now() >= until) return std::nullopt;
            turned_ = false;
            const ending ended = runner.run_with_reductions(graph, *this);
            if (ended != ending::abandoned) return ended == ending::complete ? weight_ : 0;
            // The remaining revisits belong to no event: the run itself is no leaf, and they are the only
            // continuations.
            if (!turned_ && !revisits_.empty()) {
                weight_ *= static_cast<double>(revisits_.size());
                next_ = revisits_[std::uniform_int_distribution<std::size_t>(0, revisits_.size() - 1)(random_)];
                revisits_.clear();
                turned_ = true;
            }
            if (!turned_) return 0;
            graph = next_;
        }
    }

private:
    std::mt19937_64& random_;
    std::vector<execution_graph> revisits_;
    execution_graph next_;
    double weight_ = 1;
    bool turned_ = false;
};

}  // namespace

void size_estimate::probe(execution_runner& runs, unsigned ways, std::chrono::steady_clock::time_point until) {
    runs.interpreter().scheduling_points.leave_at(until);
    for (unsigned i = 0; i < ways; ++i) {
        const std::optional<double> leaves = random_way(random_).follow(runs, until);
        if (!leaves) return;
        ++ways_;
        sum_ += *leaves;
        squares_ += *leaves * *leaves;
    }
}

double size_estimate::error() const noexcept {
    if (ways_ < 2) return 0;
    const auto count = static_cast<double>(ways_);
    const double variance = (squares_ - sum_ * sum_ / count) / (count - 1);
    return std::sqrt(variance > 0 ? variance / count : 0);
}

namespace {

constexpr unsigned index_bits = 22;  // half a megabyte
constexpr std::size_t bit_count = std::size_t{1} << index_bits;

}  // namespace

void distinct_graphs::add(const execution_graph& graph) {
    if (bits_.empty()) bits_.resize(bit_count / 64);
    const std::uint64_t place = mixed_bits(hash_without_order(graph)) >> (64U - index_bits);
    std::uint64_t& word = bits_[place / 64];
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    set_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
}

std::uint64_t distinct_graphs::count() const noexcept {
    const auto all = static_cast<double>(bit_count);
    const double left = set_ < bit_count ? static_cast<double>(bit_count - set_) : 1;
    return static_cast<std::uint64_t>(std::llround(-all * std::log(left / all)));
}

}  // namespace ordeal::detail::graph
