// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/run/strategy.hpp"

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

/// Graphs still to be explored, newest first. All that a search keeps; it grows with the length of an execution, not
/// with their number.
class work_stack final : public strategy {
public:
    work_stack() noexcept : strategy(kind::explores, true) {}
    /// A part of another one, with which it is over.
    explicit work_stack(strategy& whole) noexcept : strategy(kind::explores, true), whole_(&whole) {}

    void emit(const execution_graph& revisit) override {
        if (used_ == items_.size()) items_.emplace_back();
        items_[used_++] = revisit;
    }

    /// When it is over; the latest time there is: never.
    void end_at(std::chrono::steady_clock::time_point when) noexcept {
        end_at_ = when;
        over_.begin_again();
    }
    [[nodiscard]] bool is_over() override {
        if (whole_ != nullptr) return whole_->is_over();
        return over_([this] { return must_stop(); });
    }
    /// Whether the search is over at this moment; is_over() looks at the clock now and then.
    [[nodiscard]] bool must_stop() const {
        if (end_at_ == std::chrono::steady_clock::time_point::max()) return false;
        return stop_requested() || std::chrono::steady_clock::now() >= end_at_;
    }

    [[nodiscard]] std::size_t pending_graphs() const noexcept override { return used_; }

    [[nodiscard]] bool empty() const noexcept { return used_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return used_; }
    [[nodiscard]] const execution_graph& operator[](std::size_t index) const noexcept { return items_[index]; }

    /// Takes the newest graph out; `into` gives its memory back for a later one.
    void take(execution_graph& into) { std::swap(into, items_[--used_]); }
    /// Takes all out, oldest first: those are the beginnings of the largest parts of the search.
    [[nodiscard]] std::vector<execution_graph> take_all() {
        items_.resize(std::exchange(used_, 0));
        return std::exchange(items_, {});
    }
    void clear() noexcept { used_ = 0; }

private:
    std::vector<execution_graph> items_;
    std::size_t used_ = 0;
    std::chrono::steady_clock::time_point end_at_ = std::chrono::steady_clock::time_point::max();
    strategy* whole_ = nullptr;
    rare_question over_;
};

}  // namespace ordeal::detail::graph
