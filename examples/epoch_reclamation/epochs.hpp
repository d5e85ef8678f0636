// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace examples {

/// Deletes nodes when no thread can look at them any more, by counting epochs. For `Threads` threads, numbered from 0. A thread
/// is inside while it has a guard. A node that was retired in one epoch is deleted by its thread two epochs later: the epoch
/// goes on only when every thread that is inside has seen it.
///
/// What a thread did with a node before its guard ended happens before the destruction of the node. A thread that stays inside
/// keeps the nodes of all the others.
///
/// Source: K. Fraser, "Practical lock-freedom" (UCAM-CL-TR-579, 2004).
template <class Node, std::size_t Threads>
class epochs {
public:
    epochs() = default;
    epochs(const epochs&) = delete;
    epochs& operator=(const epochs&) = delete;
    /// No other thread may be there any more.
    ~epochs() {
        for (auto& list : retired_) {
            for (const auto& each : list) delete each.node;
        }
    }

    class guard {
    public:
        guard(epochs& of, std::size_t thread) noexcept : of_(of), thread_(thread) { of_.enter(thread_); }
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        ~guard() { of_.leave(thread_); }

    private:
        epochs& of_;
        std::size_t thread_;
    };

    /// By a thread that is inside, when the node can no longer be found.
    void retire(std::size_t thread, Node* node) {
        // order: seq_cst <-> enter: of a thread that enters and finds the node, and this one, the second sees the epoch of the
        //        first. If it were weaker, the epoch below may be older than that of a thread which looks at the node.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        // order: relaxed: the fence above.
        retired_[thread].push_back({node, epoch_.load(std::memory_order_relaxed)});
    }

    /// By a thread that is not inside: lets the epoch go on if it can, and deletes what is old enough.
    void collect(std::size_t thread) {
        // order: relaxed: the fence below is its acquire.
        std::uint64_t now = epoch_.load(std::memory_order_relaxed);
        // order: seq_cst <-> enter: of a thread that enters and one that collects, one at least sees the other: this one that
        //        somebody is inside, or that one what is out of reach. If it were weaker, it may find a node that is deleted.
        //        acquire <- collect: what those did who had left before somebody else made this the epoch.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (all_have_seen(now)) {
            // order: (success) release -> collect: what those had left who are seen to be outside.
            // order: (failure) acquire <- collect: the same of the next epoch.
            if (epoch_.compare_exchange_strong(now, now + 1, std::memory_order_release, std::memory_order_acquire)) {
                ++now;
            }
        }
        std::erase_if(retired_[thread], [now](const retired& each) {
            if (each.when + 2 > now) return false;
            delete each.node;
            return true;
        });
    }

private:
    struct retired {
        Node* node;
        std::uint64_t when;
    };
    static constexpr std::uint64_t outside = ~std::uint64_t{0};

    void enter(std::size_t thread) noexcept {
        // order: relaxed: it may be an old one. Then the epoch does not go on until this thread has left.
        const std::uint64_t now = epoch_.load(std::memory_order_relaxed);
        // order: relaxed: the fence below.
        seen_[thread].store(now, std::memory_order_relaxed);
        // order: seq_cst <-> collect: see there.
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    void leave(std::size_t thread) noexcept {
        // order: release -> collect: what this thread did with nodes.
        seen_[thread].store(outside, std::memory_order_release);
    }
    [[nodiscard]] bool all_have_seen(std::uint64_t epoch) const noexcept {
        for (const auto& each : seen_) {
            // order: acquire <- leave: what that thread did with nodes.
            const std::uint64_t seen = each.load(std::memory_order_acquire);
            if (seen != outside && seen != epoch) return false;
        }
        return true;
    }
    static constexpr auto all_outside() {
        return []<std::size_t... Each>(std::index_sequence<Each...>) {
            return std::array<std::atomic<std::uint64_t>, Threads>{(static_cast<void>(Each), outside)...};
        }(std::make_index_sequence<Threads>{});
    }

    std::atomic<std::uint64_t> epoch_{0};
    std::array<std::atomic<std::uint64_t>, Threads> seen_ = all_outside();  // the epoch when it entered, or outside
    std::array<std::vector<retired>, Threads> retired_;                     // each its own thread's
};

}  // namespace examples
