// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/thread_fingerprint.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// A thread at the header of a loop, where an iteration starts.
struct iteration_start {
    std::uintptr_t frame = 0;
    std::uintptr_t loop = 0;  ///< which of those in the frame
    thread_fingerprint state;
    unsigned iteration = 0;          ///< since its loop was entered
    unsigned waits_made = 0;         ///< thread_progress::waits_made
    std::size_t first_accesses = 0;  ///< size of thread_progress::first_accesses
    event_index same_since = 0;      ///< the state has been the same at each start since

    [[nodiscard]] bool is_of(std::uintptr_t in, std::uintptr_t which) const noexcept {
        return frame == in && loop == which;
    }
};

/// Those of the loops that a thread is in, oldest first, with an index of their states: a loop may have many
/// iterations.
class iteration_starts {
public:
    [[nodiscard]] bool empty() const noexcept { return starts_.empty(); }
    [[nodiscard]] const iteration_start& front() const noexcept { return starts_.front(); }
    [[nodiscard]] const iteration_start& back() const noexcept { return starts_.back(); }

    void push_back(const iteration_start& start) {
        starts_.push_back(start);
        older_.push_back(0);
        if (newest_.size() < 4 * starts_.size()) {
            newest_.resize(std::max<std::size_t>(16, 8 * starts_.size()));
            index();
        } else {
            link(starts_.size() - 1);
        }
    }
    /// Functions that were called from this frame have returned.
    void leave_calls_from(std::uintptr_t frame) noexcept {
        while (!starts_.empty() && starts_.back().frame < frame) pop_back();
    }
    void leave_loop(std::uintptr_t frame, std::uintptr_t loop) {
        const auto is_of_loop = [&](const iteration_start& each) { return each.is_of(frame, loop); };
        while (!starts_.empty() && is_of_loop(starts_.back())) pop_back();
        if (std::erase_if(starts_, is_of_loop) != 0) index();
    }
    void clear() noexcept {
        while (!starts_.empty()) pop_back();
    }
    /// The newest one of the loop, or null.
    [[nodiscard]] const iteration_start* newest_of(std::uintptr_t frame, std::uintptr_t loop) const noexcept {
        const auto found = std::find_if(starts_.rbegin(), starts_.rend(),
                                        [&](const iteration_start& each) { return each.is_of(frame, loop); });
        return found == starts_.rend() ? nullptr : &*found;
    }
    /// The newest one before the last, of its loop and in its state of the thread, that `accepts` admits; or null.
    template <class Condition>
    [[nodiscard]] const iteration_start* last_is_again(Condition accepts) const {
        const iteration_start& last = starts_.back();
        for (std::size_t at = older_.back(); at != 0; at = older_[at - 1]) {
            const iteration_start& each = starts_[at - 1];
            if (each.is_of(last.frame, last.loop) && last.state.is_thread_of(each.state) && accepts(each)) return &each;
        }
        return nullptr;
    }
    /// For each start with no event of the thread after it: accesses up to the next operation do not depend on other
    /// threads, so they count as made before the start.
    void note_first_operation(event_index events, std::uint64_t touched_again) noexcept {
        for (auto each = starts_.rbegin(); each != starts_.rend() && each->state.event == events; ++each) {
            each->state.done.touched_again = touched_again;
        }
    }
    /// As thread_fingerprint does.
    void bring_up_to_date(std::uint64_t memory_before, std::uint64_t memory_now) noexcept {
        for (iteration_start& each : starts_) each.state.bring_up_to_date(memory_before, memory_now);
    }

private:
    // By the thread alone: at the starts of one loop thread_fingerprint::since_header follows from it.
    [[nodiscard]] std::uint32_t& slot_of(std::size_t start) noexcept {
        return newest_[starts_[start].state.thread % newest_.size()];
    }
    void link(std::size_t start) noexcept {
        older_[start] = slot_of(start);
        slot_of(start) = static_cast<std::uint32_t>(start + 1);
    }
    void index() noexcept {
        older_.resize(starts_.size());
        std::ranges::fill(newest_, 0);
        for (std::size_t i = 0; i < starts_.size(); ++i) link(i);
    }
    void pop_back() noexcept {
        slot_of(starts_.size() - 1) = older_.back();
        starts_.pop_back();
        older_.pop_back();
    }

    std::vector<iteration_start> starts_;
    // Lists of starts whose states share a slot, newest first, by index plus one; 0 ends a list.
    std::vector<std::uint32_t> older_;   ///< by start
    std::vector<std::uint32_t> newest_;  ///< by slot
};

}  // namespace ordeal::detail::graph
