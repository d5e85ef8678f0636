// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/sequential_consistency.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

namespace {

/// A relation over the events of one graph: a row of bits for each.
class relation {
public:
    void reset(std::size_t size) {
        words_ = (size + 63) / 64;
        bits_.assign(size * words_, 0);
    }
    void add(std::size_t from, std::size_t to) noexcept { row(from)[to / 64] |= std::uint64_t{1} << (to % 64); }
    [[nodiscard]] bool has(std::size_t from, std::size_t to) const noexcept {
        return (bits_[from * words_ + to / 64] >> (to % 64) & 1) != 0;
    }
    /// from -> everything that `other` leads to from `through`.
    void add_row(std::size_t from, const relation& other, std::size_t through) noexcept {
        for (std::size_t i = 0; i < words_; ++i) row(from)[i] |= other.bits_[through * words_ + i];
    }

private:
    [[nodiscard]] std::uint64_t* row(std::size_t from) noexcept { return bits_.data() + from * words_; }

    std::size_t words_ = 0;
    std::vector<std::uint64_t> bits_;
};

class psc_check {
public:
    bool acyclic(const execution_graph& graph, const facts_table& facts) {
        graph_ = &graph;
        facts_ = &facts;
        size_ = graph.size();
        ordered_.clear();
        fences_ = false;
        for (std::size_t i = 0; i < size_; ++i) {
            if (at(i).using_order != order::seq_cst) continue;
            ordered_.push_back(i);
            fences_ |= is_fence(i);
        }
        if (ordered_.size() < 2) return true;
        relate();
        order_all();
        return !has_cycle();
    }

private:
    [[nodiscard]] const event& at(std::size_t id) const { return (*graph_)[static_cast<event_id>(id)]; }
    [[nodiscard]] bool is_fence(std::size_t id) const { return at(id).kind == event_kind::fence; }
    [[nodiscard]] bool is_write(std::size_t id) const { return at(id).kind == event_kind::write; }
    [[nodiscard]] bool program_order(std::size_t a, std::size_t b) const {
        return at(a).number == at(b).number && at(a).index < at(b).index;
    }
    // Fences are at no location, so at another than any access.
    [[nodiscard]] bool same_location(std::size_t a, std::size_t b) const {
        return at(a).where == at(b).where && !is_fence(a) && !is_fence(b);
    }
    [[nodiscard]] bool elsewhere(std::size_t a, std::size_t b) const {
        return program_order(a, b) && !same_location(a, b);
    }
    [[nodiscard]] std::uint16_t place(std::size_t id) const {
        return is_write(id) ? at(id).place : graph_->place_of(at(id).source);
    }

    // Modification order, and reads-before.
    [[nodiscard]] bool overtaken(std::size_t a, std::size_t b) const {
        return a != b && same_location(a, b) && is_write(b) && place(b) > place(a);
    }

    void relate() {
        happens_before_.reset(size_);
        scb_.reset(size_);
        if (fences_) eco_.reset(size_);
        for (std::size_t a = 0; a < size_; ++a) {
            for (std::size_t b = 0; b < size_; ++b) {
                if (a == b) continue;
                const bool happens = (*facts_)[b].happened.contains(at(a).number, at(a).index);
                const bool over = overtaken(a, b);
                if (happens) happens_before_.add(a, b);
                if (over || program_order(a, b) || (happens && same_location(a, b))) scb_.add(a, b);
                if (fences_) relate_by_eco(a, b, over);
            }
        }
        for (std::size_t a = 0; a < size_; ++a) relate_through(a);
    }

    // rf, mo, rb, and each of the last two followed by rf.
    void relate_by_eco(std::size_t a, std::size_t b, bool over) {
        if (!same_location(a, b)) return;
        const bool reads = is_write(a) && !is_write(b) && at(b).source == a;
        const bool reads_later = !is_write(b) && at(b).source != initial_write && place(b) > place(a);
        if (over || reads || reads_later) eco_.add(a, b);
    }

    // sb to another location, then happens-before, then sb to another location.
    void relate_through(std::size_t a) {
        reached_.assign(size_, false);
        for (std::size_t c = 0; c < size_; ++c) {
            if (!elsewhere(a, c)) continue;
            for (std::size_t d = 0; d < size_; ++d) {
                if (happens_before_.has(c, d)) reached_[d] = true;
            }
        }
        for (std::size_t d = 0; d < size_; ++d) {
            if (!reached_[d]) continue;
            for (std::size_t b = 0; b < size_; ++b) {
                if (elsewhere(d, b)) scb_.add(a, b);
            }
        }
    }

    // psc, an edge for each pair of seq_cst events.
    void order_all() {
        psc_.reset(size_);
        for (const std::size_t a : ordered_) {
            from_.reset(size_);
            from_.add_row(a, scb_, a);
            if (is_fence(a)) {
                for (std::size_t x = 0; x < size_; ++x) {
                    if (happens_before_.has(a, x)) from_.add_row(a, scb_, x);
                }
            }
            for (const std::size_t b : ordered_) {
                if (leads_to(a, b) || (is_fence(a) && is_fence(b) && fence_order(a, b))) psc_.add(a, b);
            }
        }
    }

    [[nodiscard]] bool leads_to(std::size_t a, std::size_t b) const {
        if (from_.has(a, b)) return true;
        if (!is_fence(b)) return false;
        for (std::size_t y = 0; y < size_; ++y) {
            if (from_.has(a, y) && happens_before_.has(y, b)) return true;
        }
        return false;
    }

    [[nodiscard]] bool fence_order(std::size_t a, std::size_t b) const {
        if (happens_before_.has(a, b)) return true;
        for (std::size_t x = 0; x < size_; ++x) {
            if (!happens_before_.has(a, x)) continue;
            for (std::size_t y = 0; y < size_; ++y) {
                if (eco_.has(x, y) && happens_before_.has(y, b)) return true;
            }
        }
        return false;
    }

    // Removes events without successors among the rest until none is left, or all that are left have one.
    [[nodiscard]] bool has_cycle() {
        left_ = ordered_;
        bool removed = true;
        while (removed && !left_.empty()) {
            removed = false;
            for (std::size_t i = 0; i < left_.size(); ++i) {
                bool leads = false;
                for (const std::size_t other : left_) leads |= psc_.has(left_[i], other);
                if (leads) continue;
                left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
                removed = true;
                break;
            }
        }
        return !left_.empty();
    }

    const execution_graph* graph_ = nullptr;
    const facts_table* facts_ = nullptr;
    std::size_t size_ = 0;
    bool fences_ = false;
    relation happens_before_, scb_, eco_, psc_, from_;
    std::vector<std::size_t> ordered_, left_;
    std::vector<bool> reached_;
};

}  // namespace

bool sequentially_consistent(const execution_graph& graph, const facts_table& facts) {
    static psc_check check;
    return check.acyclic(graph, facts);
}

}  // namespace ordeal::graph
