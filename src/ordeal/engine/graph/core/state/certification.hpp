// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::detail::graph {

/// An instance of the pattern of load buffering (consistency/load_buffering.hpp), by sites: R, W and S.
struct lb_sites {
    bool only_by_letter = false;
    std::array<site_id, 3> sites{};

    auto operator<=>(const lb_sites&) const = default;
};

/// What a thread does on its way from a read to a write.
class promised_steps {
public:
    /// Of a value that depends on what the thread has read, an acquire waits.
    void note_read(location where, std::uint64_t value, bool acquires) noexcept {
        accesses_ = hash_of_number(where, hash_of_number(1, accesses_));
        if (acquires) accesses_ = hash_of_number(value, accesses_);
        values_ = hash_of_number(value, values_);
    }
    /// That a read-modify-write stores is no other access.
    void note_write(location where, std::uint64_t value, bool rmw) noexcept {
        if (!rmw) accesses_ = hash_of_number(where, hash_of_number(2, accesses_));
        values_ = hash_of_number(value, hash_of_number(where, values_));
    }

    /// Whether the same atomics are accessed. Where they are not, with something else that the read has read, the
    /// thread has branched by it, or has computed a location from it.
    [[nodiscard]] bool accesses_the_same(const promised_steps& other) const noexcept {
        return accesses_ == other.accesses_;
    }
    /// Whether all is the same, and what is read and written.
    bool operator==(const promised_steps& other) const noexcept {
        return accesses_ == other.accesses_ && values_ == other.values_;
    }
    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_of_number(accesses_, values_); }

private:
    std::uint64_t accesses_ = 0;
    std::uint64_t values_ = 0;
};

/// A write that a thread may make before an earlier read: a promise, in the words of the promising semantics (Kang et
/// al., POPL 2017). It has to be certified: the thread has to make it whatever the read reads.
struct promise {
    struct later_read {
        location where;
        std::optional<std::uint64_t> value;  ///< nothing: what the thread itself wrote since
        bool varied = false;                 ///< it is R
    };

    lb_sites sites;
    /// What the write depends on, but for the thread's own events from its first future read on; then that read.
    execution_graph prefix;
    bool explored = false;              ///< if it is certified, graphs with future reads are explored
    std::uint64_t key = 0;              ///< a hash that tells promises apart
    std::uint64_t read_value = 0;       ///< what the last event of `prefix` has read
    std::uint64_t seen_value = 0;       ///< what R has read: that event, or the one of `later_reads` that is varied
    std::uint64_t source_value = 0;     ///< what it would read from S
    std::vector<std::uint64_t> others;  ///< neither: other values of its location
    location where = no_location;       ///< that is written
    std::uint64_t written = 0;          ///< and what is
    std::size_t same_before = 0;        ///< how often the thread has written the same between that event and the write
    std::vector<later_read> later_reads;  ///< between that event and the write
    promised_steps steps;                 ///< in the execution that was met

    [[nodiscard]] event_id read() const noexcept { return static_cast<event_id>(prefix.size() - 1); }
};

/// Graphs with a future read, if all of these promises are certified.
struct promise_revisit {
    struct needed_promise {
        std::uint64_t key;
        lb_sites sites;
    };
    std::vector<needed_promise> promises;
    std::vector<execution_graph> graphs;
};

/// A run of a promise's prefix in which the read, the last event, reads a value that is given. Then the thread runs on
/// alone, in memory that nobody else changes: a later read has the value that it had, if it was of another thread's
/// write, and else that of the newest write. The run is over when the thread makes the write, or cannot go on alone.
class certification {
public:
    certification(const promise& of, std::uint64_t value) : of_(of), value_(value), later_reads_(of.later_reads) {
        const auto varied = std::ranges::find(later_reads_, true, &promise::later_read::varied);
        if (varied == later_reads_.end()) return;
        varied->value = value;
        value_ = of.read_value;
    }

    [[nodiscard]] bool is_of(event_id read) const noexcept { return read == of_.read(); }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

    void run_without_others() noexcept { without_others_ = true; }
    [[nodiscard]] bool without_others() const noexcept { return without_others_; }

    /// What the next read of this location has, if it is given.
    [[nodiscard]] std::optional<std::uint64_t> next_read(location where) {
        reads_varied_ = false;
        const auto found = std::ranges::find(later_reads_, where, &promise::later_read::where);
        if (found == later_reads_.end()) return std::nullopt;
        const std::optional<std::uint64_t> value = found->value;
        reads_varied_ = found->varied;
        later_reads_.erase(found);
        return value;
    }

    void note_read(location where, std::uint64_t value, bool acquires) noexcept {
        steps_.note_read(where, value, acquires && !reads_varied_);
    }
    /// Returns whether that is the promised write.
    [[nodiscard]] bool note_write(location where, std::uint64_t value, bool rmw) noexcept {
        steps_.note_write(where, value, rmw);
        const bool is_same = where == of_.where && value == of_.written;
        fulfilled_ |= is_same && same_written_ == of_.same_before;
        same_written_ += is_same ? 1 : 0;
        return fulfilled_;
    }
    /// The thread has gone on for much longer than to the write.
    void give_up() noexcept { gave_up_ = true; }
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
    static constexpr std::uint64_t most_accesses = 5'000;  ///< to data that is not atomic

    /// The steps to the write; nothing if the thread has not made it.
    [[nodiscard]] std::optional<promised_steps> fulfilled() const noexcept {
        return fulfilled_ ? std::optional(steps_) : std::nullopt;
    }

private:
    const promise& of_;
    std::uint64_t value_;
    std::vector<promise::later_read> later_reads_;
    promised_steps steps_;
    std::size_t same_written_ = 0;  ///< how often the thread has written what was promised
    bool reads_varied_ = false;     ///< the read that is made now is R
    bool without_others_ = false;
    bool fulfilled_ = false;
    bool gave_up_ = false;
};

}  // namespace ordeal::detail::graph
