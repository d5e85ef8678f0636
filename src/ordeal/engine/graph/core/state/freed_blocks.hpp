// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/view.hpp"
#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/snapshot.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ordeal::detail::graph {

/// The number of most recently freed blocks among which an allocation may choose.
inline constexpr std::size_t most_candidates = 4;

/// A freed block, named by the thread that freed it and its number, from 1, among the blocks freed by that thread.
/// Packed into a word, the name is the same in each run of a graph; 0: none.
struct free_name {
    std::uint8_t thread_id = 0;
    std::uint32_t ordinal = 0;

    [[nodiscard]] static constexpr free_name of(std::uint64_t word) noexcept {
        return {static_cast<std::uint8_t>(word >> 32), static_cast<std::uint32_t>(word)};
    }
    [[nodiscard]] constexpr std::uint64_t word() const noexcept { return std::uint64_t{thread_id} << 32 | ordinal; }
};

/// A freed block and its free.
struct freed_block {
    std::uintptr_t address = 0;
    std::size_t size = 0;  ///< of its size class
    free_name name;
    event_index epoch = 0;  ///< as in `object`
    std::uint32_t age = 0;  ///< grows along happens-before
    std::uint32_t step = 0;
};

/// The latest allocation of a thread by size, as far as the run has come.
struct last_allocation {
    std::size_t size = 0;
    std::uint8_t thread_id = 0;
    event_index epoch = 0;
};

/// The blocks freed in one execution, by size.
class freed_blocks {
public:
    void clear() noexcept {
        allocations_.clear();
        if (all_.empty()) return;
        all_.clear();
        for (frees& each : std::span(frees_.data(), frees_used_)) each.blocks.clear();
        frees_used_ = 0;
        for (std::vector<known_frees>& each : known_) each.clear();
        ordinals_ = {};
    }

    void save(snapshot& to) const {
        to.put(allocations_);
        to.put(all_);
    }
    void restore(snapshot& from) {
        clear();
        from.take(allocations_);
        std::vector<freed_block> all;
        from.take(all);
        for (const freed_block& each : all) add(each);
    }

    /// `hb`: what happens before the free, the latest of its thread.
    void add(memory_range block, int thread_id, const view& hb, std::uint32_t step) {
        const auto index = static_cast<std::size_t>(thread_id);
        freed_block made;
        made.address = block.address;
        made.size = block.size;
        made.step = step;
        made.name = {static_cast<std::uint8_t>(thread_id), ordinals_[index] + 1};
        made.epoch = hb[index] + 1;
        for (std::size_t i = 0; i < view::lanes(); ++i) made.age += hb[i];
        add(made);
    }

    /// Calls `what` for the blocks of this size whose free happens before `hb`, or that `thread_id` itself freed: for
    /// those that one thread freed, the newest first, as long as `what` returns true.
    template <class Call>
    void for_each_before(std::size_t size, int thread_id, const view& hb, Call what) const {
        for (const frees& each : std::span(frees_.data(), frees_used_)) {
            if (each.size != size) continue;
            auto end = each.blocks.end();
            if (each.thread_id != thread_id) {
                end = std::ranges::partition_point(
                    each.blocks, [&](std::uint32_t block) { return all_[block].epoch <= hb[each.thread_id]; });
            }
            while (end != each.blocks.begin() && what(all_[*--end])) {
            }
        }
    }

    /// A hash of the blocks of any size whose free by another thread happens before `hb`.
    [[nodiscard]] std::uint64_t known_to(int thread_id, const view& hb) const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t by = 0; by < known_.size() && !all_.empty(); ++by) {
            const std::vector<known_frees>& each = known_[by];
            if (each.empty() || static_cast<int>(by) == thread_id) continue;
            const auto end =
                std::ranges::partition_point(each, [&](const known_frees& some) { return some.epoch <= hb[by]; });
            if (end != each.begin()) sum += (end - 1)->sum;
        }
        return sum;
    }

    /// Records an allocation at `hb`. Returns whether another thread freed a block of its size and the two are
    /// unordered: what runs later is never ordered before.
    bool allocates(std::size_t size, int thread_id, const view& hb) {
        const event_index epoch = hb[static_cast<std::size_t>(thread_id)] + 1;
        const auto known = std::ranges::find_if(allocations_, [&](const last_allocation& each) {
            return each.size == size && each.thread_id == thread_id;
        });
        if (known != allocations_.end()) {
            known->epoch = epoch;
        } else {
            allocations_.push_back({size, static_cast<std::uint8_t>(thread_id), epoch});
        }
        // Of those that a thread freed, the last is ordered only if all are.
        return std::ranges::any_of(std::span(frees_.data(), frees_used_), [&](const frees& each) {
            return each.size == size && !is_before(each.thread_id, all_[each.blocks.back()].epoch, thread_id, hb);
        });
    }

    /// Whether a free is unordered with an allocation of another thread that has already run.
    [[nodiscard]] bool frees_unordered(std::size_t size, int thread_id, const view& hb) const {
        return std::ranges::any_of(allocations_, [&](const last_allocation& each) {
            return each.size == size && !is_before(each.thread_id, each.epoch, thread_id, hb);
        });
    }

private:
    // The blocks of one size that one thread freed, by their places in all_; their epochs do not fall.
    struct frees {
        std::size_t size = 0;
        std::uint8_t thread_id = 0;
        std::vector<std::uint32_t> blocks;
    };
    // A hash of the blocks that a thread has freed up to an epoch.
    struct known_frees {
        event_index epoch = 0;
        std::uint64_t sum = 0;
    };

    void add(const freed_block& made) {
        const std::size_t by = made.name.thread_id;
        ordinals_[by] = made.name.ordinal;
        frees_of(made.size, made.name.thread_id).blocks.push_back(static_cast<std::uint32_t>(all_.size()));
        const std::uint64_t before = known_[by].empty() ? 0 : known_[by].back().sum;
        known_[by].push_back({made.epoch, before + hash_of_number(made.name.word(), 0)});
        all_.push_back(made);
    }
    [[nodiscard]] frees& frees_of(std::size_t size, std::uint8_t thread_id) {
        for (frees& each : std::span(frees_.data(), frees_used_)) {
            if (each.size == size && each.thread_id == thread_id) return each;
        }
        if (frees_used_ == frees_.size()) frees_.emplace_back();
        frees& made = frees_[frees_used_++];
        made.size = size;
        made.thread_id = thread_id;
        return made;
    }
    [[nodiscard]] static bool is_before(std::uint8_t by, event_index epoch, int thread_id, const view& hb) {
        return by == thread_id || hb[by] >= epoch;
    }

    std::vector<freed_block> all_;
    std::vector<last_allocation> allocations_;
    std::vector<frees> frees_;  ///< more than are used keep their memory
    std::size_t frees_used_ = 0;
    std::array<std::vector<known_frees>, max_thread_ids> known_;  ///< by the thread that freed them
    std::array<std::uint32_t, max_thread_ids> ordinals_{};
};

/// Whether `a` was freed later than `b`: by happens-before if they are ordered, else by name, the same in each run.
[[nodiscard]] constexpr bool later(const freed_block& a, const freed_block& b) noexcept {
    if (a.age != b.age) return a.age > b.age;
    return a.name.word() > b.name.word();
}

}  // namespace ordeal::detail::graph
