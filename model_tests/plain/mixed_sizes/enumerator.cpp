// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/plain/mixed_sizes/enumerator.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <vector>

namespace ordeal::model_tests::mixed_sizes {

namespace {

constexpr std::size_t max_events = max_threads * max_instructions;
constexpr std::array both_halves{std::size_t{0}, std::size_t{1}};

using memory = std::array<int, 2>;

bool touches(part of, std::size_t half) { return of == part::both || static_cast<std::size_t>(of) == half; }
bool overlap(part a, part b) { return a == b || a == part::both || b == part::both; }

int value_in(const memory& of, part which) {
    return which == part::both ? number_of(of[0], of[1]) : of[static_cast<std::size_t>(which)];
}
memory written(memory to, const instruction& by) {
    for (const std::size_t half : both_halves) {
        if (touches(by.of, half)) to[half] = by.value;
    }
    return to;
}
bool writes(const instruction& what, int found) {
    return what.what == operation::store || what.what == operation::exchange ||
           (what.what == operation::compare_exchange && found == 0);
}

// One instruction of some thread after another.
class interleaver {
public:
    explicit interleaver(const program& what) : program_(what) {}

    std::set<std::string> all() {
        go_on({}, {});
        return found_;
    }

private:
    void go_on(const memory& now, const outcome& so_far) {
        bool ends = true;
        for (std::size_t thread = 0; thread < program_.size; ++thread) {
            const thread_code& code = program_.threads[thread];
            std::size_t& next = next_[thread];
            if (next == code.size) continue;
            ends = false;
            const instruction& each = code.at[next];
            const int seen = value_in(now, each.of);
            outcome after = so_far;
            if (each.what != operation::store) after.read[thread][next] = seen;
            ++next;
            go_on(writes(each, seen) ? written(now, each) : now, after);
            --next;
        }
        if (!ends) return;
        outcome whole = so_far;
        whole.left = value_in(now, part::both);
        found_.insert(to_string(whole));
    }

    const program& program_;
    std::array<std::size_t, max_threads> next_{};
    std::set<std::string> found_;
};

struct relation {
    std::array<std::bitset<max_events>, max_events> after{};

    void add(std::size_t from, std::size_t to) { after[from].set(to); }
    [[nodiscard]] bool has(std::size_t from, std::size_t to) const { return after[from].test(to); }
    void close() {
        for (std::size_t middle = 0; middle < max_events; ++middle) {
            for (auto& each : after) {
                if (each.test(middle)) each |= after[middle];
            }
        }
    }
    [[nodiscard]] bool has_cycle() const {
        for (std::size_t i = 0; i < max_events; ++i) {
            if (has(i, i)) return true;
        }
        return false;
    }
};

struct event {
    std::size_t thread = 0;
    std::size_t index = 0;
    instruction what;
    bool succeeds = false;  ///< compare_exchange

    [[nodiscard]] bool writes() const { return what.what != operation::load && (!fails()); }
    [[nodiscard]] bool fails() const { return what.what == operation::compare_exchange && !succeeds; }
    [[nodiscard]] bool reads() const { return what.what != operation::store; }
    [[nodiscard]] bool is_rmw() const { return writes() && reads(); }
    /// What it leaves of the object depends on the write before it.
    [[nodiscard]] bool is_blind() const { return what.what == operation::store && what.of == part::both; }
    [[nodiscard]] bool synchronises() const { return what.how == ordering::acquire_release; }
};

// Which compare-exchanges succeed is chosen first, then the order of the writes, then what each other read reads.
class enumeration {
public:
    enumeration(const program& what, broken rule) : rule_(rule) {
        for (std::size_t thread = 0; thread < what.size; ++thread) {
            for (std::size_t i = 0; i < what.threads[thread].size; ++i)
                events_.push_back({thread, i, what.threads[thread].at[i]});
        }
    }

    std::set<std::string> all() {
        choose_successes(0);
        return found_;
    }

private:
    // Position 0 is what the object began with, and position k after write k - 1 of the order.
    using position = std::size_t;

    void choose_successes(std::size_t from) {
        if (from == events_.size()) return order_writes();
        choose_successes(from + 1);
        if (events_[from].what.what != operation::compare_exchange) return;
        events_[from].succeeds = true;
        choose_successes(from + 1);
        events_[from].succeeds = false;
    }

    void order_writes() {
        order_.clear();
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (events_[i].writes()) order_.push_back(i);
        }
        do {
            values_.assign(1, {});
            bool possible = true;
            for (std::size_t k = 0; k < order_.size(); ++k) {
                const event& each = events_[order_[k]];
                // A compare-exchange succeeds where it finds 0.
                const bool fits =
                    each.what.what != operation::compare_exchange || value_in(values_.back(), each.what.of) == 0;
                possible = possible && fits;
                values_.push_back(written(values_.back(), each.what));
                written_at_[order_[k]] = k + 1;
                read_at_[order_[k]] = k;
            }
            if (possible) choose_reads(0);
        } while (std::ranges::next_permutation(order_).found);
    }

    void choose_reads(std::size_t from) {
        if (from == events_.size()) {
            if (is_consistent()) count();
            return;
        }
        const event& each = events_[from];
        if (each.writes()) return choose_reads(from + 1);
        for (position at = 0; at < values_.size(); ++at) {
            // A load reads from the writes to its part; one that is a failed exchange, from any.
            if (each.fails() ? value_in(values_[at], each.what.of) == 0
                             : at != 0 && !overlap(event_at(at).what.of, each.what.of))
                continue;
            read_at_[from] = at;
            choose_reads(from + 1);
        }
    }

    [[nodiscard]] const event& event_at(position at) const { return events_[order_[at - 1]]; }
    // The latest write to that half.
    [[nodiscard]] position latest(position at, std::size_t half) const {
        while (at > 0 && !touches(event_at(at).what.of, half)) --at;
        return at;
    }

    [[nodiscard]] bool is_consistent() const {
        relation before;
        for (std::size_t a = 0; a < events_.size(); ++a) {
            for (std::size_t b = 0; b < events_.size(); ++b) {
                if (events_[a].thread == events_[b].thread && events_[a].index < events_[b].index) before.add(a, b);
            }
        }
        relation reads_from = before;
        relation happens = before;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (!events_[i].is_blind() && read_at_[i] > 0) reads_from.add(order_[read_at_[i] - 1], i);
            if (events_[i].reads() && events_[i].synchronises()) {
                std::set<std::size_t> heads;
                for (const std::size_t half : both_halves) {
                    if (touches(events_[i].what.of, half) || rule_ == broken::acquires_all_halves)
                        find_heads(read_at_[i], half, heads);
                }
                for (const std::size_t head : heads) {
                    if (head != i) happens.add(head, i);
                }
            }
        }
        reads_from.close();
        happens.close();
        return !reads_from.has_cycle() && !happens.has_cycle() && is_coherent(happens);
    }

    // The release stores that an acquire read of this half at this position synchronises with.
    void find_heads(position at, std::size_t half, std::set<std::size_t>& heads) const {
        const position write = latest(at, half);
        if (write == 0) return;
        const event& each = event_at(write);
        if (each.synchronises()) heads.insert(order_[write - 1]);
        const bool continues =
            each.is_rmw() || (rule_ == broken::stores_to_halves_continue && each.what.of != part::both);
        if (!continues) return;
        for (const std::size_t other : both_halves) {
            if (touches(each.what.of, other)) find_heads(write - 1, other, heads);
        }
    }

    // For each half by itself: nothing is older than what happens before it.
    [[nodiscard]] bool is_coherent(const relation& happens) const {
        for (const std::size_t half : both_halves) {
            for (std::size_t a = 0; a < events_.size(); ++a) {
                for (std::size_t b = 0; b < events_.size(); ++b) {
                    const bool counts = rule_ == broken::halves_are_coherent_together ||
                                        (touches(events_[a].what.of, half) && touches(events_[b].what.of, half));
                    if (counts && happens.has(a, b) && !may_follow(a, b, half)) return false;
                }
            }
        }
        return true;
    }
    [[nodiscard]] bool may_follow(std::size_t a, std::size_t b, std::size_t half) const {
        const auto seen = [&](position at) {
            return rule_ == broken::halves_are_coherent_together ? at : latest(at, half);
        };
        const position known = events_[a].writes() ? written_at_[a] : seen(read_at_[a]);
        if (events_[b].writes() && written_at_[b] <= known) return false;
        return !events_[b].reads() || rule_ == broken::halves_are_not_coherent || seen(read_at_[b]) >= known;
    }

    void count() {
        outcome result;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const event& each = events_[i];
            if (each.reads()) result.read[each.thread][each.index] = value_in(values_[read_at_[i]], each.what.of);
        }
        result.left = value_in(values_.back(), part::both);
        found_.insert(to_string(result));
    }

    broken rule_;
    std::vector<event> events_;
    std::vector<std::size_t> order_;  ///< of all writes
    std::vector<memory> values_;      ///< at each position
    std::array<position, max_events> written_at_{};
    std::array<position, max_events> read_at_{};
    std::set<std::string> found_;
};

}  // namespace

std::set<std::string> interleavings(const program& what) { return interleaver(what).all(); }
std::set<std::string> executions(const program& what, broken rule) { return enumeration(what, rule).all(); }

}  // namespace ordeal::model_tests::mixed_sizes
