// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/consistency.hpp"

#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

namespace {

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

}  // namespace

class rc11_check::psc {
public:
    bool acyclic(const execution_graph& graph, const views_table& views) {
        graph_ = &graph;
        views_ = &views;
        size_ = graph.size();
        ordered_.clear();
        fences_ = false;
        for (std::size_t i = 0; i < size_; ++i) {
            if (at(i).using_order != order::seq_cst || !was_run(i)) continue;
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
    [[nodiscard]] bool was_run(std::size_t id) const {
        return (*views_)[id].porf.contains(at(id).thread_id, at(id).index);
    }
    [[nodiscard]] bool is_fence(std::size_t id) const { return at(id).kind == event_kind::fence; }
    [[nodiscard]] bool is_write(std::size_t id) const { return at(id).kind == event_kind::write; }
    // An allocation is no event of the memory model and adds no order between the events around it.
    [[nodiscard]] bool is_allocation(std::size_t id) const { return at(id).kind == event_kind::allocation; }
    // Fences and thread creations have no location, so they differ in location from every access.
    [[nodiscard]] bool same_location(std::size_t a, std::size_t b) const {
        if (is_allocation(a) || is_allocation(b)) return true;
        return at(a).where == at(b).where && at(a).where != no_location;
    }
    [[nodiscard]] coherence_position co(std::size_t id) const {
        return is_write(id) ? at(id).co : graph_->co_of(at(id).rf);
    }

    // Each relation is stored forward and, if needed, backward. Happens-before contains a prefix of each thread and is
    // transitive: rows are combined from rows.
    void relate() {
        happens_before_.reset(size_);
        happened_.reset(size_);
        elsewhere_.reset(size_);
        scb_.reset(size_);
        eco_.reset(size_);
        gather();
        for (std::size_t a = 0; a < size_; ++a) relate_by_thread(a);
        for_each_two_at_a_location([&](std::size_t a, std::size_t b) { relate_at_same(a, b); });
        for (std::size_t a = 0; a < size_; ++a) relate_through(a);
    }

    // Collects the events of each thread in program order, and those of each location.
    void gather() {
        threads_.clear();
        accesses_.clear();
        for (std::size_t id = 0; id < size_; ++id) {
            if (!was_run(id)) continue;
            threads_.add(at(id).thread_id, static_cast<event_id>(id));
            if (at(id).where != no_location) accesses_.push_back(id);
        }
        std::ranges::sort(accesses_, {}, [&](std::size_t id) { return at(id).where; });
    }

    void relate_by_thread(std::size_t b) {
        const event& right = at(b);
        for (std::size_t thread_id = 0; thread_id < threads_.size(); ++thread_id) {
            for (const std::size_t a : threads_[thread_id]) {
                if (!(*views_)[b].hb.contains(thread_id, at(a).index)) break;
                if (a == b) continue;
                happens_before_.add(a, b);
                happened_.add(b, a);
            }
        }
        for (const std::size_t a : threads_[right.thread_id]) {
            if (a == b) break;
            if (is_allocation(a) || is_allocation(b)) continue;
            scb_.add(a, b);
            if (!same_location(a, b)) elsewhere_.add(a, b);
        }
    }

    // Calls `what` with each ordered pair of events at one location.
    template <class Call>
    void for_each_two_at_a_location(Call what) const {
        for (std::size_t begin = 0, end = 0; begin < accesses_.size(); begin = end) {
            while (end < accesses_.size() && at(accesses_[end]).where == at(accesses_[begin]).where) ++end;
            for (std::size_t i = begin; i < end; ++i) {
                for (std::size_t k = begin; k < end; ++k) {
                    if (i != k) what(accesses_[i], accesses_[k]);
                }
            }
        }
    }

    void relate_at_same(std::size_t a, std::size_t b) {
        const event& right = at(b);
        const bool later = co(b) > co(a);
        // Modification order, and reads-before.
        const bool over = is_write(b) && later;
        if (over || happens_before_.has(a, b)) scb_.add(a, b);
        if (!fences_) return;
        // rf, mo, rb, and each of the last two followed by rf.
        const bool reads = is_write(a) && !is_write(b) && right.rf == a;
        const bool reads_later = !is_write(b) && right.rf != initial_write && later;
        if (over || reads || reads_later) eco_.add(a, b);
    }

    // sb to another location; hb; sb to another location. Everything reached by the first sb happens after its first
    // event, so that one suffices. The ends of threads are events of the paper, and so is what waits for them; here
    // they are not, but happens-before has the end of a thread as one more event of it.
    void relate_through(std::size_t a) {
        if (is_allocation(a) || !was_run(a)) return;
        const std::size_t thread_id = at(a).thread_id;
        const auto left = static_cast<event_index>(next_elsewhere(a));
        for (std::size_t other = 0; other < threads_.size(); ++other) {
            if (other == thread_id) continue;
            const thread_paths::path& events = threads_[other];
            const auto is_before = [&](std::size_t d) { return !(*views_)[d].hb.contains(thread_id, left); };
            const auto found = std::ranges::partition_point(events, is_before);
            if (found == events.end()) continue;
            const bool without_an_event = known_before(*found, thread_id, left);
            // To a fence: by sb, and hb.
            if (is_fence(*found)) scb_.add(a, *found);
            without_an_event ? all_from(a, found, events.end()) : elsewhere_after(a, *found);
        }
    }

    // Whether the thread of the event knew of that one before: by what is no event, as joining a thread is none.
    [[nodiscard]] bool known_before(std::size_t id, std::size_t thread_id, event_index index) const {
        const event_views& views = (*views_)[id];
        switch (at(id).kind) {
            case event_kind::read: return views.before.contains(thread_id, index);
            case event_kind::write:
            case event_kind::allocation: return views.hb.contains(thread_id, index);
            default: return false;
        }
    }

    template <class Iterator>
    void all_from(std::size_t a, Iterator begin, Iterator end) {
        for (; begin != end; ++begin) {
            if (!is_allocation(*begin)) scb_.add(a, *begin);
        }
    }

    // Adds to `a` the program-order successors, at another location, of `d` and of the events after it: those at the
    // location of `d` itself come after the first event at another location.
    void elsewhere_after(std::size_t a, std::size_t d) {
        scb_.add_row(a, elsewhere_, d);
        const std::size_t next = next_elsewhere(d);
        const thread_paths::path& events = threads_[at(d).thread_id];
        if (next != events.size()) scb_.add_row(a, elsewhere_, events[next]);
    }

    // The index of the first event after this one in program order that is at another location, as the end of the
    // thread is.
    [[nodiscard]] std::size_t next_elsewhere(std::size_t id) const {
        const thread_paths::path& events = threads_[at(id).thread_id];
        std::size_t next = at(id).index + std::size_t{1};
        while (next < events.size() && same_location(id, events[next])) ++next;
        return next;
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

    // Topological sort: removes events without predecessors until none is left, or a cycle remains.
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
    const views_table* views_ = nullptr;
    std::size_t size_ = 0;
    bool fences_ = false;
    thread_paths threads_;
    std::vector<std::size_t> accesses_;  // by location
    relation happens_before_, happened_, elsewhere_, scb_, eco_, from_, through_eco_, psc_;
    std::vector<std::size_t> ordered_, before_, free_;
};

rc11_check::rc11_check() : psc_(std::make_unique<psc>()) {}
rc11_check::~rc11_check() = default;

bool rc11_check::allows(const execution_graph& graph, const views_table& views) { return psc_->acyclic(graph, views); }

}  // namespace ordeal::detail::graph
