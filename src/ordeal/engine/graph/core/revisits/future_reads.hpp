// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Load buffering: where it begins in an execution, and the graphs with future reads.
//
// A future read reads from a write S that follows it in porf, by a later write W of its own thread that is made first:
// a promise. Such a graph is made of an execution of RC11 that has R, W and S, with another `rf` for R, once it is
// certified that the thread makes W whatever R reads (certifier.hpp). It is run like any other, but R does not wait for
// S: the graph has its value. If S then writes another value, or the thread does something else up to W, the graph is
// no execution.
//
// All that follows from the events of such a graph is searched. They themselves stay as they are: an execution in which
// one of them reads something else has another execution of RC11 that leads to it. docs/explanation/load-buffering.md.
//
// Source: the certification of promises is that of Kang, Hur, Lahav, Vafeiadis, Dreyer, "A Promising Semantics for
// Relaxed-Memory Concurrency", POPL 2017.
#pragma once

#include "ordeal/engine/graph/consistency/load_buffering.hpp"
#include "ordeal/engine/graph/core/run/run_context.hpp"
#include "ordeal/engine/graph/core/state/certification.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

class future_reads : run_context {
public:
    explicit future_reads(const run_context& of) : run_context(of) {}

    void begin() noexcept { sources_.clear(); }

    /// What becomes of the patterns that are met.
    enum class lb_mode : std::uint8_t {
        report,               ///< the first at each write
        certify_then_report,  ///< all, once it is known whether their promises are certified
        explore,              ///< those whose promises are certified, by graphs with future reads; the others as before
    };
    void set_mode(lb_mode mode) noexcept { mode_ = mode; }
    /// The promises that runs have met since the last call, each to be certified.
    [[nodiscard]] std::vector<promise> take_promises() noexcept { return std::exchange(promises_, {}); }
    [[nodiscard]] bool has_reported(const lb_sites& pattern) const { return reported_.contains(pattern); }
    /// Adds the pattern to those that the search reports. Returns whether it is new.
    bool report(const lb_sites& pattern) {
        const bool is_new = reported_.insert(pattern).second;
        if (is_new) search_facts_.lb_patterns.insert(named(pattern));
        return is_new;
    }
    [[nodiscard]] static lb_site_names named(const lb_sites& pattern);
    [[nodiscard]] std::size_t promises() const noexcept { return promises_.size() + promise_revisits_.size(); }
    /// The graphs with future reads that were made since the last call: each is to be explored if its promises are
    /// certified.
    [[nodiscard]] std::vector<promise_revisit> take_promise_revisits() noexcept {
        return std::exchange(promise_revisits_, {});
    }
    /// Before an acquire fence.
    void await_future_sources();

    /// The write is the newest event, and may be the source of a future read: of `only`, if that is a read.
    void note_lb_patterns(event_id source, event_id only = initial_write);
    [[nodiscard]] bool has_future_read(event_id write) const;
    /// In the first run of a graph with a future read a write has another value than before.
    void change_value(event_id write, std::uint64_t value);

    /// In a graph with an index, patterns are looked for at the first writes of each site and then at every 2^n-th,
    /// among `events_before_source` events before the write.
    static constexpr unsigned most_sources_of_site = 64;
    static constexpr event_id events_before_source = 128;

private:
    std::optional<std::uint64_t> note_promise(const lb_pattern& found, const lb_sites& pattern, bool explored);
    void find_patterns(event_id source, event_id from, event_id only);
    [[nodiscard]] view porf_of(event_id id) const;
    // Nothing: the value is not known.
    [[nodiscard]] std::optional<std::uint64_t> initial_value(location where) const;
    [[nodiscard]] std::optional<std::uint64_t> value_read_by(const event& read) const;
    void make_promise_revisits(const view& porf);
    [[nodiscard]] bool stays_future_read(event_id read, event_id source) const;
    [[nodiscard]] bool fails(const lb_pattern& found, event_id preceding_rmw, const view& porf) const;
    void add_future_read(const lb_pattern& found, event_id preceding_rmw, const view& porf,
                         std::vector<execution_graph>& into);
    [[nodiscard]] event_id first_given_read(event_id read) const;
    [[nodiscard]] bool describe_steps(const lb_pattern& found, event_id first, promise& made) const;
    [[nodiscard]] bool describe(const lb_pattern& found, promise& made);
    [[nodiscard]] lb_sites sites_of(const lb_pattern& found) const;

    std::map<site_id, unsigned> sources_;  ///< in a graph with an index: how many writes each site has made
    std::set<lb_sites> reported_;
    std::vector<lb_pattern> patterns_;  ///< scratch: the patterns whose source is one write
    std::vector<promise> promises_;
    std::vector<promise_revisit> promise_revisits_;
    std::unordered_set<std::uint64_t> made_before_;  ///< hashes of the graphs with future reads that were made
    std::unordered_set<std::uint64_t> asked_;        ///< hashes of all promises that were met
    lb_mode mode_ = lb_mode::report;
    std::vector<coherence_position> co_candidates_;
    execution_graph::renumbering tables_;
};

}  // namespace ordeal::detail::graph
