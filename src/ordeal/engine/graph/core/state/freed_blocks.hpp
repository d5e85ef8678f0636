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
    std::uint16_t epoch = 0;  ///< as in `object`
    std::uint32_t age = 0;    ///< grows along happens-before
    std::uint32_t step = 0;
    int before = -1;  ///< the previously freed block of about this size
};

/// The latest allocation of a thread by size, as far as the run has come.
struct last_allocation {
    std::size_t size = 0;
    std::uint8_t thread_id = 0;
    std::uint16_t epoch = 0;
};

/// The blocks freed in one execution, by size.
class freed_blocks {
public:
    void clear() noexcept {
        allocations_.clear();
        if (all_.empty()) return;
        all_.clear();
        last_.fill(-1);
        ordinals_ = {};
    }

    void save(snapshot& to) const {
        to.put(allocations_);
        to.put(all_);
        if (all_.empty()) return;
        to.put(last_);
        to.put(ordinals_);
    }
    void restore(snapshot& from) {
        clear();
        from.take(allocations_);
        from.take(all_);
        if (all_.empty()) return;
        from.take(last_);
        from.take(ordinals_);
    }

    /// `hb`: what happens before the free, the latest of its thread.
    void add(memory_range block, int thread_id, const view& hb, std::uint32_t step) {
        const auto index = static_cast<std::size_t>(thread_id);
        freed_block made;
        made.address = block.address;
        made.size = block.size;
        made.step = step;
        made.name = {static_cast<std::uint8_t>(thread_id), ++ordinals_[index]};
        made.epoch = static_cast<std::uint16_t>(hb[index] + 1);
        for (std::size_t i = 0; i < view::lanes(); ++i) made.age += hb[i];
        int& last = last_[bin_of(block.size)];
        made.before = last;
        last = static_cast<int>(all_.size());
        all_.push_back(made);
    }

    /// Calls `what` for each block of this size whose free happens before `hb`, or that `thread_id` itself freed.
    template <class Call>
    void for_each_before(std::size_t size, int thread_id, const view& hb, Call what) const {
        for (int i = last_[bin_of(size)]; i >= 0; i = all_[static_cast<std::size_t>(i)].before) {
            const freed_block& each = all_[static_cast<std::size_t>(i)];
            if (each.size != size) continue;
            if (is_before(each.name.thread_id, each.epoch, thread_id, hb)) what(each);
        }
    }

    /// A hash of all such blocks of any size.
    [[nodiscard]] std::uint64_t known_to(int thread_id, const view& hb) const noexcept {
        std::uint64_t sum = 0;
        for (const freed_block& each : all_) {
            if (is_before(each.name.thread_id, each.epoch, thread_id, hb)) sum += hash_of_number(each.name.word(), 0);
        }
        return sum;
    }

    /// Records an allocation at `hb`. Returns whether another thread freed a block of its size and the two are
    /// unordered: what runs later is never ordered before.
    bool allocates(std::size_t size, int thread_id, const view& hb) {
        const auto epoch = static_cast<std::uint16_t>(hb[static_cast<std::size_t>(thread_id)] + 1);
        const auto known = std::ranges::find_if(allocations_, [&](const last_allocation& each) {
            return each.size == size && each.thread_id == thread_id;
        });
        if (known != allocations_.end()) {
            known->epoch = epoch;
        } else {
            allocations_.push_back({size, static_cast<std::uint8_t>(thread_id), epoch});
        }
        for (int i = last_[bin_of(size)]; i >= 0; i = all_[static_cast<std::size_t>(i)].before) {
            const freed_block& each = all_[static_cast<std::size_t>(i)];
            if (each.size == size && !is_before(each.name.thread_id, each.epoch, thread_id, hb)) return true;
        }
        return false;
    }

    /// Whether a free is unordered with an allocation of another thread that has already run.
    [[nodiscard]] bool frees_unordered(std::size_t size, int thread_id, const view& hb) const {
        return std::ranges::any_of(allocations_, [&](const last_allocation& each) {
            return each.size == size && !is_before(each.thread_id, each.epoch, thread_id, hb);
        });
    }

private:
    [[nodiscard]] static bool is_before(std::uint8_t by, std::uint16_t epoch, int thread_id, const view& hb) {
        return by == thread_id || hb[by] >= epoch;
    }

    static constexpr std::size_t bins = 128;
    [[nodiscard]] static constexpr std::size_t bin_of(std::size_t size) noexcept {
        return std::min<std::size_t>(size / 16, bins - 1);
    }
    [[nodiscard]] static constexpr std::array<int, bins> none() {
        std::array<int, bins> result{};
        result.fill(-1);
        return result;
    }

    std::vector<freed_block> all_;
    std::vector<last_allocation> allocations_;
    std::array<int, bins> last_ = none();
    std::array<std::uint32_t, max_thread_ids> ordinals_{};
};

/// Whether `a` was freed later than `b`: by happens-before if they are ordered, else by name, the same in each run.
[[nodiscard]] constexpr bool later(const freed_block& a, const freed_block& b) noexcept {
    if (a.age != b.age) return a.age > b.age;
    return a.name.word() > b.name.word();
}

}  // namespace ordeal::detail::graph
