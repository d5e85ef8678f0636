// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Whether the step is an operation on a lock or a condition variable.
[[nodiscard]] bool is_about_lock(const trace_step& step) noexcept;

/// Whether the step is a fence, in the source, added for a search, or within a library.
[[nodiscard]] bool is_fence(const trace_step& step) noexcept;

/// How the note of a step begins that reads what is written after the end of the trace; load buffering has such steps.
inline constexpr std::string_view reads_later_write = "reads what is written later: ";
[[nodiscard]] inline bool reads_what_is_not_shown(const trace_step& step) noexcept {
    return step.note.starts_with(reads_later_write);
}

/// Relations between the steps of one trace. Steps are identified by their positions in it.
class trace_relations {
public:
    /// The trace must not change.
    explicit trace_relations(const trace& steps);

    [[nodiscard]] std::size_t size() const noexcept { return steps_->size(); }
    [[nodiscard]] const trace_step& operator[](std::size_t step) const noexcept { return (*steps_)[step]; }

    [[nodiscard]] bool happens_before(std::size_t a, std::size_t b) const;
    /// The preceding or following step of the same thread. Construction and finish() have none.
    [[nodiscard]] std::optional<std::size_t> before_in_thread(std::size_t step) const { return before_[step]; }
    [[nodiscard]] std::optional<std::size_t> after_in_thread(std::size_t step) const { return after_[step]; }

    /// The step whose write `read` reads; nothing if it is not in the trace.
    [[nodiscard]] std::optional<std::size_t> source_of(std::size_t read) const { return source_[read]; }
    /// The notification that ended the wait `step`; nothing if it is not in the trace.
    [[nodiscard]] std::optional<std::size_t> notification_of(std::size_t step) const;
    /// The write whose value a write replaces, if it is of another thread: the latest one before it.
    [[nodiscard]] std::optional<std::size_t> overwritten_by(std::size_t write) const;
    /// The latest earlier access of the same bytes in the same thread.
    [[nodiscard]] std::optional<std::size_t> before_at_same_bytes(std::size_t step) const;
    /// The last step of each thread before this one.
    [[nodiscard]] std::vector<std::size_t> last_of_threads(std::size_t step) const;

    /// Whether the two access some common byte.
    [[nodiscard]] bool overlap(std::size_t a, std::size_t b) const;
    /// Whether the two conflict: different threads, a common byte, at least one write, and not both atomic.
    [[nodiscard]] bool conflict(std::size_t a, std::size_t b) const;

    [[nodiscard]] static bool reads_atomic(const trace_step& step) noexcept;
    [[nodiscard]] static bool writes_atomic(const trace_step& step) noexcept;
    /// The position in coherence of the write that `read` reads from: 0 for the initial value.
    [[nodiscard]] std::uint32_t coherence_position_read(std::size_t read) const;

private:
    const trace* steps_;
    std::map<std::uint32_t, std::size_t> by_index_;
    std::vector<std::optional<std::size_t>> before_;
    std::vector<std::optional<std::size_t>> after_;
    std::vector<std::optional<std::size_t>> source_;
    std::vector<bool> has_event_;  ///< of its own; the clock of another has the number of the event before it
};

/// Reorders the steps into an interleaving: each read reads the latest write, with few context switches; steps keep
/// their numbers. Nothing if there is none: the execution is not sequentially consistent, or some of its steps are
/// missing.
[[nodiscard]] std::optional<trace> as_interleaving(const trace& steps);

}  // namespace ordeal::detail
