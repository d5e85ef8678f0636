// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redundant retries.
//
// What is left out: a thread reads an atomic, reads it again and finds another write there. If it then stands where it
// would stand if its earlier read had found that write at once, the retry is redundant, and the thread is blocked:
// others may yet write what it reads. In
//     int seen = top.load();                                   // reads 0
//     while (!top.compare_exchange_strong(seen, seen + 1)) {}  // fails: reads 1 of another thread, then succeeds
// the thread stands, after the failure, where it would stand if the load had read 1.
// - An iteration lies between the two reads: the other execution is without it.
// - The second read comes directly after the first: in the other execution both read that write.
//
// Why nothing is lost: in that other execution the thread stands at the same operation with the same fingerprint. Here
// the thread has seen at least as much and accessed nothing more, so each continuation of this execution is one of the
// other.
//
// How it is found out: by running that other execution. The run is left with a question, which probe runs answer
// (retry_probes); then the graph is run again. The answer depends on the porf prefix of the read alone. So it is
// remembered by a hash of that for other graphs, and noted in the read (read_data::retry) for those that come of this
// one.
//
// Source: ours.
#pragma once

#include "ordeal/engine/graph/core/reduction.hpp"
#include "ordeal/engine/graph/core/state/iteration_accesses.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace ordeal::detail::graph {

/// Where a thread stands that has come to an operation, what it knows there, and what it has done since it came to an
/// earlier one.
struct retry_point {
    thread_fingerprint fingerprint;
    thread_views views;
    std::uint64_t effects = 0;  ///< and operations of locks, those of beginning lives left out
    std::uint64_t lives = 0;    ///< of objects that it has begun
};

/// Two hashes of what happened before a read, and of what is asked about it: where they are equal, so is the answer.
struct question_hash {
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    bool operator==(const question_hash&) const = default;
};

/// A thread that has read the same atomic again, and has found another write.
struct retry_question {
    event_id read = 0;
    std::optional<event_id> earlier{};  ///< after which it stood at the operation at which it stands now
    bool follows_read = false;          ///< its event before is a read of the same atomic
    question_hash hash{};
};

/// A probe run: all of a graph, up to where one thread stands at an operation, after `events` events of it. What the
/// thread accesses after its `first`-th event, counted from 0, is noted.
struct retry_probe {
    retry_probe(int thread, event_index from, event_index count) noexcept
        : thread_id(thread), first(from), events(count), accessed(thread, from) {}

    int thread_id;
    event_index first;
    event_index events;
    iteration_accesses accessed;
    thread_effects done_before;  ///< when it came to the `first`-th event
    std::optional<retry_point> reached;
};

class retries final : public reduction, run_context {
public:
    explicit retries(const run_context& of) : run_context(of) {}

    void begin() noexcept override { question_.reset(); }
    void forget() noexcept override { known_.clear(); }

    [[nodiscard]] action at_operation(const operation_point& at, blocking& blocking) override {
        if (probe_ != nullptr) [[unlikely]] {
            record_end_of_probe(at);
            return action::goes_on;
        }
        const thread_state& me = run_.self();
        if (me.next < 2 || !run_.at_end(me)) return action::goes_on;
        const event& last = (*run_.graph)[me.path.back()];
        if (!last.is_read() || last.read().retry == retry_status::needed) return action::goes_on;
        const action result = judge_retry();
        if (result == action::blocks) blocking.why = blocked::by_pruning{};
        return result;
    }

    [[nodiscard]] bool answers_by_probes(execution_runner& runner, const execution_graph& abandoned) override;

    /// From now on runs belong to this probe; null: to none.
    void set_probe(retry_probe* what) noexcept {
        probe_ = what;
        run_.noted = what == nullptr ? nullptr : &what->accessed;
    }

private:
    struct first_of_hash {
        std::size_t operator()(const question_hash& of) const noexcept { return of.first; }
    };

    void record_end_of_probe(const operation_point& at);
    [[nodiscard]] action judge_retry();
    [[nodiscard]] question_hash hash_of_question(const retry_question& asked) const;
    [[nodiscard]] std::optional<event_id> earlier_read() const;
    [[nodiscard]] bool follows_a_read() const;
    [[nodiscard]] std::uint64_t effects_since(const retry_probe& probe) const;
    [[nodiscard]] bool only_reads(event_index first) const;

    std::optional<retry_question> question_;  ///< for which the run was left
    retry_probe* probe_ = nullptr;
    std::unordered_map<question_hash, bool, first_of_hash> known_;  ///< answers
};

}  // namespace ordeal::detail::graph
