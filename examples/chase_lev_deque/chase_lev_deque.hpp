// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace examples {

/// A work-stealing deque: its owner pushes and takes at the bottom, any thread steals at the top. It grows as needed.
///
/// Thread safety: push(), take(), construction and destruction are for the owner; steal() is for any thread.
/// Ordering:      what happened before push() happens before the take() or steal() that returns the element.
/// Lifetime:      buffers that were outgrown are kept until the deque ends: a thief may still read them.
/// Errors:        push() throws std::bad_alloc when the buffer cannot grow; the deque is then as before.
/// Source:        D. Chase, Y. Lev, "Dynamic circular work-stealing deque" (SPAA 2005), with the fences and orders of
///                N. M. Le, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and efficient work-stealing for weak memory
///                models" (PPoPP 2013).
template <class T>
    requires std::is_trivially_copyable_v<T>
class chase_lev_deque {
public:
    /// `capacity`: a power of two, the number of elements before the first growth.
    explicit chase_lev_deque(std::size_t capacity) {
        buffers_.push_back(std::make_unique<buffer>(capacity));
        // order: relaxed: no thief knows of the deque yet.
        buffer_.store(buffers_.back().get(), std::memory_order_relaxed);
    }
    chase_lev_deque(const chase_lev_deque&) = delete;
    chase_lev_deque& operator=(const chase_lev_deque&) = delete;

    /// By the owner: adds the newest element.
    void push(T value) {
        // order: relaxed: the owner's own.
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        // order: acquire (outside the model) <- steal (success): a thief has read its element before the slot is
        //        written again. Without it C++20 lets a thief read the new element and still advance top; on processors
        //        the owner's branch on top forbids that.
        const std::int64_t top = top_.load(std::memory_order_acquire);
        // order: relaxed: the owner's own.
        buffer* current = buffer_.load(std::memory_order_relaxed);
        if (bottom - top >= current->capacity()) current = grow(*current, top, bottom);
        current->put(bottom, value);
        // order: release -> steal: the element, and the buffer if it grew, with the store of bottom below.
        std::atomic_thread_fence(std::memory_order_release);
        // order: relaxed: the fence above is its release.
        bottom_.store(bottom + 1, std::memory_order_relaxed);
    }

    /// By the owner: removes the newest element. Nothing: the deque is empty.
    [[nodiscard]] std::optional<T> take() {
        // order: relaxed: the owner's own.
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
        // order: relaxed: the owner's own.
        const buffer* const current = buffer_.load(std::memory_order_relaxed);
        // order: relaxed: the fence below keeps it before the load of top.
        bottom_.store(bottom, std::memory_order_relaxed);
        // order: seq_cst <-> steal (fence): of an owner that takes and a thief that steals the same element, at least
        //        one sees the other. Without it both may see old values and have the element.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        // order: relaxed: the fence above keeps it after the store of bottom.
        std::int64_t top = top_.load(std::memory_order_relaxed);
        if (top < bottom) return current->get(bottom);

        std::optional<T> result;
        if (top == bottom) {
            // The last element: who advances top has it.
            result = current->get(bottom);
            // order: (success) relaxed: one of all who try advances top. A thief that reads the new top has the fence
            //        above before its own fence, and sees that bottom is smaller.
            // order: (failure) relaxed: a thief has the element, and nothing of it is read.
            if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
                result.reset();
            }
        }
        // order: relaxed: the deque is empty, and nothing is handed over.
        bottom_.store(bottom + 1, std::memory_order_relaxed);
        return result;
    }

    /// By any thread: removes the oldest element. Nothing: the deque is empty, or another thread was faster.
    [[nodiscard]] std::optional<T> steal() {
        // order: relaxed: the fence below orders it, and the exchange decides.
        std::int64_t top = top_.load(std::memory_order_relaxed);
        // order: seq_cst <-> take (fence): as there.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        // order: acquire <- push (fence): the element and the buffer.
        const std::int64_t bottom = bottom_.load(std::memory_order_acquire);
        if (top >= bottom) return std::nullopt;
        // order: acquire <- grow: the elements that were copied.
        const buffer* const current = buffer_.load(std::memory_order_acquire);
        const T value = current->get(top);
        // order: (success) release -> push: the element has been read, before its slot is written again. If it were
        //        relaxed, top could be advanced first, and the next element be read: load buffering.
        // order: (failure) relaxed: another thread has the element, and nothing of it is read.
        if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_release, std::memory_order_relaxed)) {
            return std::nullopt;
        }
        return value;
    }

private:
    class buffer {
    public:
        explicit buffer(std::size_t capacity) : mask_(capacity - 1), slots_(new std::atomic<T>[capacity]) {}

        [[nodiscard]] std::int64_t capacity() const { return static_cast<std::int64_t>(mask_ + 1); }
        // order: relaxed: bottom, or the buffer's address, publishes the slot.
        void put(std::int64_t index, T value) { slot(index).store(value, std::memory_order_relaxed); }
        // order: relaxed: published as above. What a thief reads counts only if top has not changed afterwards.
        [[nodiscard]] T get(std::int64_t index) const { return slot(index).load(std::memory_order_relaxed); }

    private:
        [[nodiscard]] std::atomic<T>& slot(std::int64_t index) const {
            return slots_[static_cast<std::size_t>(index) & mask_];
        }
        std::size_t mask_;
        std::unique_ptr<std::atomic<T>[]> slots_;
    };

    [[nodiscard]] buffer* grow(const buffer& full, std::int64_t top, std::int64_t bottom) {
        auto larger = std::make_unique<buffer>(2 * static_cast<std::size_t>(full.capacity()));
        for (std::int64_t i = top; i < bottom; ++i) larger->put(i, full.get(i));
        buffers_.push_back(std::move(larger));
        // order: release -> steal: the elements that were copied.
        buffer_.store(buffers_.back().get(), std::memory_order_release);
        return buffers_.back().get();
    }

    std::atomic<std::int64_t> top_{0};
    std::atomic<std::int64_t> bottom_{0};
    std::atomic<buffer*> buffer_{nullptr};
    std::vector<std::unique_ptr<buffer>> buffers_;  // the last one is in use; the owner's
};

}  // namespace examples
