// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/thread_fingerprint.hpp"

#include <algorithm>
#include <array>
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

    [[nodiscard]] bool is_of(std::uintptr_t in, std::uintptr_t which) const noexcept {
        return frame == in && loop == which;
    }
    [[nodiscard]] bool is_of_loop_of(const iteration_head& other) const noexcept {
        return is_of(other.frame, other.loop);
    }
};

/// Those of the loops that a thread is in, oldest first, with an index of their states: a loop may have many
/// iterations.
class iteration_heads {
public:
    [[nodiscard]] bool empty() const noexcept { return heads_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return heads_.size(); }
    [[nodiscard]] const iteration_head& front() const noexcept { return heads_.front(); }
    [[nodiscard]] const iteration_head& back() const noexcept { return heads_.back(); }
    [[nodiscard]] auto begin() const noexcept { return heads_.begin(); }
    [[nodiscard]] auto end() const noexcept { return heads_.end(); }

    void push_back(const iteration_head& head) {
        heads_.push_back(head);
        links_.emplace_back();
        if (slots_.size() < 4 * heads_.size()) {
            slots_.resize(std::max<std::size_t>(16, 8 * heads_.size()));
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
        std::size_t newest = 0;  // and one
        for (std::size_t key = 0; key < keys; ++key) {
            for (std::size_t at = links_.back()[key]; at > newest; at = next(at)) {
                const iteration_head& each = heads_[(at - 1) / keys];
                if (!each.is_of_loop_of(last) || !last.state.is_thread_of(each.state) || !accepts(each)) continue;
                newest = at;
                break;
            }
        }
        return newest == 0 ? nullptr : &heads_[(newest - 1) / keys];
    }
    /// Of the heads behind so many events of the thread: what it touches up to its next operation it touches whatever
    /// the others do.
    void note_first_operation(event_index events, std::uint64_t touched) noexcept {
        for (auto each = heads_.rbegin(); each != heads_.rend() && each->state.event == events; ++each) {
            each->state.done.touched = touched;
        }
    }
    /// As thread_fingerprint does.
    void bring_up_to_date(std::uint64_t memory_before, std::uint64_t memory_now) noexcept {
        for (iteration_head& each : heads_) each.state.bring_up_to_date(memory_before, memory_now);
    }

private:
    /// Of each head: by the thread's state, and by that since the head.
    static constexpr std::size_t keys = 2;

    [[nodiscard]] std::uint64_t key_of(std::size_t head, std::size_t key) const noexcept {
        return key == 0 ? heads_[head].state.thread : heads_[head].state.since_head;
    }
    [[nodiscard]] std::uint32_t& slot_of(std::size_t head, std::size_t key) noexcept {
        return slots_[key_of(head, key) % slots_.size()];
    }
    [[nodiscard]] std::uint32_t next(std::size_t at) const noexcept { return links_[(at - 1) / keys][(at - 1) % keys]; }

    // Lists of entries whose keys share a slot, newest first. An entry is keys * head + key + 1.
    void link(std::size_t head) noexcept {
        for (std::size_t key = 0; key < keys; ++key) links_[head][key] = slot_of(head, key);
        for (std::size_t key = 0; key < keys; ++key)
            slot_of(head, key) = static_cast<std::uint32_t>(keys * head + key + 1);
    }
    void index() noexcept {
        links_.resize(heads_.size());
        std::ranges::fill(slots_, 0);
        for (std::size_t i = 0; i < heads_.size(); ++i) link(i);
    }
    void pop_back() noexcept {
        const std::size_t last = heads_.size() - 1;
        for (std::size_t key = 0; key < keys; ++key) slot_of(last, key) = links_[last][key];
        heads_.pop_back();
        links_.pop_back();
    }

    std::vector<iteration_head> heads_;
    std::vector<std::array<std::uint32_t, keys>> links_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace ordeal::detail::graph
