// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/sequential_consistency.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

namespace {

/// A relation over the events of one graph: a row of bits for each.
class relation {
public:
    void reset(std::size_t size) { reset(size, size); }
    void reset(std::size_t rows, std::size_t size) {
        words_ = (size + 63) / 64;
        bits_.assign(rows * words_, 0);
    }
    void add(std::size_t from, std::size_t to) noexcept { row(from)[to / 64] |= std::uint64_t{1} << (to % 64); }
    [[nodiscard]] bool has(std::size_t from, std::size_t to) const noexcept {
        return (row(from)[to / 64] >> (to % 64) & 1) != 0;
    }
    /// `from` leads also to all that `other` leads to from `through`.
    void add_row(std::size_t from, const relation& other, std::size_t through) noexcept {
        for (std::size_t i = 0; i < words_; ++i) row(from)[i] |= other.row(through)[i];
    }
    /// Whether `from` leads to something that `other` leads to from `to`.
    [[nodiscard]] bool meets(std::size_t from, const relation& other, std::size_t to) const noexcept {
        std::uint64_t common = 0;
        for (std::size_t i = 0; i < words_; ++i) common |= row(from)[i] & other.row(to)[i];
        return common != 0;
    }
    /// Calls `what` with each event that `from` leads to.
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
    // Fences and creations of threads are at no location, so at another than any access.
    [[nodiscard]] bool same_location(std::size_t a, std::size_t b) const {
        return at(a).where == at(b).where && at(a).where != no_location;
    }
    [[nodiscard]] std::uint16_t place(std::size_t id) const {
        return is_write(id) ? at(id).place : graph_->place_of(at(id).source);
    }

    // Each relation is kept forward and, where it is asked for, backward (what leads to an event).
    void relate() {
        happens_before_.reset(size_);
        happened_.reset(size_);
        elsewhere_.reset(size_);
        scb_.reset(size_);
        eco_.reset(size_);
        for (std::size_t a = 0; a < size_; ++a) {
            for (std::size_t b = 0; b < size_; ++b) {
                if (a != b) relate(a, b);
            }
        }
        for (std::size_t a = 0; a < size_; ++a) relate_through(a);
    }

    void relate(std::size_t a, std::size_t b) {
        const event& left = at(a);
        const event& right = at(b);
        const bool same = same_location(a, b);
        const bool program_order = left.number == right.number && left.index < right.index;
        const bool happens = (*facts_)[b].happened.contains(left.number, left.index);
        // Modification order, and reads-before.
        const bool over = same && is_write(b) && place(b) > place(a);
        if (happens) {
            happens_before_.add(a, b);
            happened_.add(b, a);
        }
        if (program_order && !same) elsewhere_.add(a, b);
        if (over || program_order || (happens && same)) scb_.add(a, b);
        if (!fences_ || !same) return;
        // rf, mo, rb, and each of the last two followed by rf.
        const bool reads = is_write(a) && !is_write(b) && right.source == a;
        const bool reads_later = !is_write(b) && right.source != initial_write && place(b) > place(a);
        if (over || reads || reads_later) eco_.add(a, b);
    }

    // sb to another location, then happens-before, then sb to another location.
    void relate_through(std::size_t a) {
        between_.reset(1, size_);
        elsewhere_.for_each(a, [&](std::size_t c) { between_.add_row(0, happens_before_, c); });
        between_.for_each(0, [&](std::size_t d) { scb_.add_row(a, elsewhere_, d); });
    }

    // psc, an edge for each pair of seq_cst events.
    void order_all() {
        psc_.reset(size_);
        from_.reset(size_);
        through_eco_.reset(size_);
        for (const std::size_t a : ordered_) {
            from_.add_row(a, scb_, a);
            if (is_fence(a)) {
                happens_before_.for_each(a, [&](std::size_t x) {
                    from_.add_row(a, scb_, x);
                    through_eco_.add_row(a, eco_, x);
                });
            }
            for (const std::size_t b : ordered_) {
                if (from_.has(a, b) || (is_fence(b) && comes_to_fence(a, b))) psc_.add(a, b);
            }
        }
    }

    [[nodiscard]] bool comes_to_fence(std::size_t a, std::size_t fence) const {
        if (from_.meets(a, happened_, fence)) return true;
        return is_fence(a) && (happens_before_.has(a, fence) || through_eco_.meets(a, happened_, fence));
    }

    // Removes events that nothing left leads to, until none is left, or all that are left have some before them.
    [[nodiscard]] bool has_cycle() {
        before_.assign(size_, 0);
        for (const std::size_t a : ordered_) psc_.for_each(a, [&](std::size_t b) { ++before_[b]; });
        free_.clear();
        for (const std::size_t a : ordered_) {
            if (before_[a] == 0) free_.push_back(a);
        }
        std::size_t removed = 0;
        for (; removed < free_.size(); ++removed) {
            psc_.for_each(free_[removed], [&](std::size_t b) {
                if (--before_[b] == 0) free_.push_back(b);
            });
        }
        return removed < ordered_.size();
    }

    const execution_graph* graph_ = nullptr;
    const facts_table* facts_ = nullptr;
    std::size_t size_ = 0;
    bool fences_ = false;
    relation happens_before_, happened_, elsewhere_, between_, scb_, eco_, from_, through_eco_, psc_;
    std::vector<std::size_t> ordered_, before_, free_;
};

}  // namespace

bool sequentially_consistent(const execution_graph& graph, const facts_table& facts) {
    static psc_check check;
    return check.acyclic(graph, facts);
}

}  // namespace ordeal::graph
