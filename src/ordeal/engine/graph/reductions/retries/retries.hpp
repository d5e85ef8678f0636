// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/scheduling.hpp"
#include "ordeal/engine/graph/core/execution/thread_fingerprints.hpp"
#include "ordeal/engine/graph/core/state/iteration_accesses.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

namespace ordeal::graph {

/// Where a thread stands that has come to an operation, what it knows there, and what it has done since it came to an earlier one.
struct operation_point {
    thread_fingerprint fingerprint;
    thread_views views;
    std::uint64_t effects = 0;  ///< and locks, but for lives of objects that began
    std::uint64_t lives = 0;    ///< of objects that it has begun
};

/// Two hashes of what happened before a read, and of what is asked about it: where they are equal, so is the answer.
struct retry_prefix {
    std::uint64_t one = 0;
    std::uint64_t other = 0;

    bool operator==(const retry_prefix&) const = default;
};

/// A thread that has read the same atomic again, and has found another write.
struct retry_question {
    event_id read = 0;
    std::optional<event_id> earlier{};  ///< after which it stood at the operation at which it stands now
    bool follows_read = false;          ///< its event before is a read of the same atomic
    retry_prefix prefix{};
};

/// A run of a graph up to where one thread comes to an operation, after so many events of it; all of the graph has been run then.
/// What it accesses behind its `first`-th event, counted from 0, is noted.
struct retry_trial {
    retry_trial(int thread, std::uint16_t from, std::uint16_t count) noexcept
        : thread_id(thread), first(from), events(count), accessed(thread, from) {}

    int thread_id;
    std::uint16_t first;
    std::uint16_t events;
    iteration_accesses accessed;
    thread_effects done_before;  ///< when it came to the `first`-th event
    std::optional<operation_point> came_to;
};

/// Retries in vain. A thread reads an atomic, and reads it again and finds another write there, as after a compare-exchange that
/// has failed. Where it stands then may be
///
/// - where it stood before that, and where it would stand had its earlier read been of that other write: an execution without
///   the turn in between comes to the same;
/// - where it would stand had the read before been of that other write, too: an execution in which it was comes to the same.
///
/// If it knows no more there, all that can come of this execution comes of that one. So the thread goes on there, and is blocked
/// here: others may yet write what it reads.
///
/// Whether it would stand there is found out by running that other execution. The run is left with a question; who runs graphs
/// answers it by trials (retry_trials), and runs the graph again. The answer depends on what happened before the read alone. So it is
/// remembered by that for other graphs, and noted in the read (event::retry) for those that come of this one.
class retries {
public:
    retries(execution_state& run, scheduling& scheduling, run_end& run_end, thread_fingerprints& fingerprints)
        : run_(run), scheduling_(scheduling), run_end_(run_end), thread_fingerprints_(fingerprints) {}

    void begin(const strategy& how) noexcept {
        strategy_ = &how;
        question_.reset();
    }

    /// The running thread comes to an operation, which is the last of its looks.
    void watch(const caller_state& caller, std::span<const std::uint64_t> given) {
        if (trial_ != nullptr) [[unlikely]]
            return follow(caller, given);
        const thread_state& me = run_.self();
        if (me.next < 2 || !run_.at_end(me)) return;
        if ((*run_.graph)[me.path.back()].retry != retry_status::needed) consider();
    }

    /// Whether runs are left with questions from now on. Otherwise threads go on, but for those of which the graph says more.
    void may_ask(bool whether) noexcept { asks_ = whether; }
    /// What the last run was left for; nothing: it was not.
    [[nodiscard]] const std::optional<retry_question>& asked() const noexcept { return question_; }

    /// The answer: whether the retry is in vain.
    void note_answer(const retry_question& asked, bool redundant);
    /// From now on the code is run in another way.
    void forget_answers() noexcept { known_.clear(); }

    /// Runs are those of a trial from now on; null: no more.
    void try_out(retry_trial* what) noexcept {
        trial_ = what;
        run_.noted = what == nullptr ? nullptr : &what->accessed;
    }

private:
    struct hash_of_prefix {
        std::size_t operator()(const retry_prefix& of) const noexcept { return of.one; }
    };

    void follow(const caller_state& caller, std::span<const std::uint64_t> given);
    void consider();
    [[nodiscard]] retry_prefix prefix_of(const retry_question& asked) const;
    [[nodiscard]] std::optional<event_id> earlier_read() const;
    [[nodiscard]] bool follows_a_read() const;
    [[nodiscard]] std::uint64_t effects_since(const retry_trial& trial) const;
    [[nodiscard]] bool only_reads(std::uint16_t first) const;

    execution_state& run_;
    scheduling& scheduling_;
    run_end& run_end_;
    thread_fingerprints& thread_fingerprints_;
    bool asks_ = false;
    const strategy* strategy_ = nullptr;
    std::optional<retry_question> question_;
    retry_trial* trial_ = nullptr;
    std::unordered_map<retry_prefix, bool, hash_of_prefix> known_;  ///< answers
};

}  // namespace ordeal::graph
