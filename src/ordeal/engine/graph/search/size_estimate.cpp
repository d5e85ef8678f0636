// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/size_estimate.hpp"

#include "ordeal/engine/graph/core/runner/graph_runner.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace ordeal::detail::graph {

namespace {

/// Takes one of the alternatives to each new event at random, and leaves the run if it is not the one that the run
/// continues with.
class random_way final : public strategy {
public:
    explicit random_way(std::mt19937_64& random) : strategy(kind::explores), random_(random) {}

    void emit(const execution_graph& alternative) override { alternatives_.push_back(alternative); }

    bool go_on() override {
        const std::size_t count = alternatives_.size() + 1;
        weight_ *= static_cast<double>(count);
        const std::size_t chosen = std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
        turned_ = chosen != 0;
        if (turned_) next_ = alternatives_[chosen - 1];
        alternatives_.clear();
        return !turned_;
    }

    /// The estimated number of leaves by this path; nothing if there was no time to complete it.
    std::optional<double> follow(graph_runner& runs, std::chrono::steady_clock::time_point until) {
        execution_graph graph;
        for (;;) {
            if (stop_requested() || std::chrono::steady_clock::now() >= until) return std::nullopt;
            turned_ = false;
            const ending ended = runs.run(graph, *this);
            if (ended != ending::abandoned) return ended == ending::complete ? weight_ : 0;
            // The remaining alternatives belong to no event: the run itself is no leaf, and they are the only
            // continuations.
            if (!turned_ && !alternatives_.empty()) {
                weight_ *= static_cast<double>(alternatives_.size());
                next_ = alternatives_[std::uniform_int_distribution<std::size_t>(0, alternatives_.size() - 1)(random_)];
                alternatives_.clear();
                turned_ = true;
            }
            if (!turned_) return 0;
            graph = next_;
        }
    }

private:
    std::mt19937_64& random_;
    std::vector<execution_graph> alternatives_;
    execution_graph next_;
    double weight_ = 1;
    bool turned_ = false;
};

}  // namespace

void size_estimate::probe(execution_runner& runs, unsigned ways, std::chrono::steady_clock::time_point until) {
    runs.interpreter().scheduling.leave_at(until);
    const std::unique_ptr<graph_runner> runner = make_graph_runner(runs);
    for (unsigned i = 0; i < ways; ++i) {
        const std::optional<double> leaves = random_way(random_).follow(*runner, until);
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

}  // namespace ordeal::detail::graph
