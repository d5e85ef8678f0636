// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

namespace examples {

/// Says which nodes threads look at, so that others do not delete them. For `Threads` threads, numbered from 0, each of which has
/// `Slots` hazard pointers and a list of nodes that it has retired.
///
/// What a thread did with a node while it protected it happens before the destruction of the node.
///
/// Source: M. M. Michael, "Hazard pointers: safe memory reclamation for lock-free objects" (IEEE TPDS 15(6), 2004).
template <class Node, std::size_t Threads, std::size_t Slots>
class hazard_pointers {
public:
    hazard_pointers() = default;
    hazard_pointers(const hazard_pointers&) = delete;
    hazard_pointers& operator=(const hazard_pointers&) = delete;
    /// No other thread may be there any more.
    ~hazard_pointers() {
        for (const auto& list : retired_) {
            for (const Node* each : list) delete each;
        }
    }

    /// What `from` points to, which nobody deletes until the slot protects something else. A node must be out of `from` before
    /// it is retired.
    [[nodiscard]] Node* protect(std::size_t thread, std::size_t slot, const std::atomic<Node*>& from) noexcept {
        // order: relaxed: a guess. The load below checks it.
        Node* found = from.load(std::memory_order_relaxed);
        for (;;) {
            // order: release -> retire: what was done with the node that the slot protected before.
            slots_[thread][slot].store(found, std::memory_order_release);
            // order: seq_cst <-> retire: of a thread that protects a node and one that retires it, one at least sees the other:
            //        this one that the node is gone, or that one the slot. If it were weaker, the node may be deleted.
            std::atomic_thread_fence(std::memory_order_seq_cst);
            // order: acquire <- the one who put the node there: the node.
            Node* const again = from.load(std::memory_order_acquire);
            if (again == found) return found;
            found = again;
        }
    }

    /// The slots of this thread protect nothing any more.
    void clear(std::size_t thread) noexcept {
        for (auto& slot : slots_[thread]) {
            // order: release -> retire: what was done with the node.
            slot.store(nullptr, std::memory_order_release);
        }
    }

    /// Deletes the node, or one that was retired before, as soon as nobody protects it. Nobody can find it any more.
    void retire(std::size_t thread, Node* node) {
        auto& mine = retired_[thread];
        mine.push_back(node);
        // order: seq_cst <-> protect: that the node is gone, before the slots are looked at.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        std::erase_if(mine, [this](const Node* each) {
            if (is_protected(each)) return false;
            delete each;
            return true;
        });
    }

private:
    [[nodiscard]] bool is_protected(const Node* node) const {
        for (const auto& of_thread : slots_) {
            for (const auto& slot : of_thread) {
                // order: acquire <- protect, clear: what was done with the node, if the slot no longer protects it.
                if (slot.load(std::memory_order_acquire) == node) return true;
            }
        }
        return false;
    }

    std::array<std::array<std::atomic<Node*>, Slots>, Threads> slots_{};
    std::array<std::vector<Node*>, Threads> retired_;
};

}  // namespace examples
