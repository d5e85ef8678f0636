// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/thread_fingerprint.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// The head of a loop at the beginning of an iteration.
struct iteration_head {
    std::uintptr_t frame = 0;
    std::uintptr_t loop = 0;  ///< which of those in the frame
    thread_fingerprint state;
    unsigned iteration = 0;          ///< since its loop was entered
    unsigned waits_made = 0;         ///< thread_progress::waits_made
    std::size_t first_accesses = 0;  ///< size of thread_progress::first_accesses
    event_index same_since = 0;      ///< each head since was in the same state

    [[nodiscard]] bool is_of(std::uintptr_t in, std::uintptr_t which) const noexcept {
        return frame == in && loop == which;
    }
};

/// Those of the loops that a thread is in, oldest first, with an index of their states: a loop may have many
/// iterations.
class iteration_heads {
public:
    [[nodiscard]] bool empty() const noexcept { return heads_.empty(); }
    [[nodiscard]] const iteration_head& front() const noexcept { return heads_.front(); }
    [[nodiscard]] const iteration_head& back() const noexcept { return heads_.back(); }

    void push_back(const iteration_head& head) {
        heads_.push_back(head);
        older_.push_back(0);
        if (newest_.size() < 4 * heads_.size()) {
            newest_.resize(std::max<std::size_t>(16, 8 * heads_.size()));
            index();
        } else {
            link(heads_.size() - 1);
        }
    }
    /// Functions that were called from this frame have returned.
    void leave_calls_from(std::uintptr_t frame) noexcept {
        while (!heads_.empty() && heads_.back().frame < frame) pop_back();
    }
    void leave_loop(std::uintptr_t frame, std::uintptr_t loop) {
        const auto is_of_loop = [&](const iteration_head& each) { return each.is_of(frame, loop); };
        while (!heads_.empty() && is_of_loop(heads_.back())) pop_back();
        if (std::erase_if(heads_, is_of_loop) != 0) index();
    }
    void clear() noexcept {
        while (!heads_.empty()) pop_back();
    }
    /// The newest one of the loop, or null.
    [[nodiscard]] const iteration_head* newest_of(std::uintptr_t frame, std::uintptr_t loop) const noexcept {
        const auto found = std::find_if(heads_.rbegin(), heads_.rend(),
                                        [&](const iteration_head& each) { return each.is_of(frame, loop); });
        return found == heads_.rend() ? nullptr : &*found;
    }
    /// The newest one before the last, of its loop and in its state of the thread, that `accepts` admits; or null.
    template <class Condition>
    [[nodiscard]] const iteration_head* last_is_again(Condition accepts) const {
        const iteration_head& last = heads_.back();
        for (std::size_t at = older_.back(); at != 0; at = older_[at - 1]) {
            const iteration_head& each = heads_[at - 1];
            if (each.is_of(last.frame, last.loop) && last.state.is_thread_of(each.state) && accepts(each)) return &each;
        }
        return nullptr;
    }
    /// For each head with no event of the thread after it: accesses up to the next operation do not depend on other
    /// threads, so they count as made before the head.
    void note_first_operation(event_index events, std::uint64_t touched_again) noexcept {
        for (auto each = heads_.rbegin(); each != heads_.rend() && each->state.event == events; ++each) {
            each->state.done.touched_again = touched_again;
        }
    }
    /// As thread_fingerprint does.
    void bring_up_to_date(std::uint64_t memory_before, std::uint64_t memory_now) noexcept {
        for (iteration_head& each : heads_) each.state.bring_up_to_date(memory_before, memory_now);
    }

private:
    // By the thread alone: at the heads of one loop thread_fingerprint::since_head follows from it.
    [[nodiscard]] std::uint32_t& slot_of(std::size_t head) noexcept {
        return newest_[heads_[head].state.thread % newest_.size()];
    }
    void link(std::size_t head) noexcept {
        older_[head] = slot_of(head);
        slot_of(head) = static_cast<std::uint32_t>(head + 1);
    }
    void index() noexcept {
        older_.resize(heads_.size());
        std::ranges::fill(newest_, 0);
        for (std::size_t i = 0; i < heads_.size(); ++i) link(i);
    }
    void pop_back() noexcept {
        slot_of(heads_.size() - 1) = older_.back();
        heads_.pop_back();
        older_.pop_back();
    }

    std::vector<iteration_head> heads_;
    // Lists of heads whose states share a slot, newest first, by index plus one; 0 ends a list.
    std::vector<std::uint32_t> older_;   ///< by head
    std::vector<std::uint32_t> newest_;  ///< by slot
};

}  // namespace ordeal::detail::graph
