// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// The state of parts of an execution, byte for byte, to be restored later: each part puts its state, and takes it
/// again in the same order. Allocates only if it grows beyond its largest size so far.
class snapshot {
public:
    /// Discards the contents, but not the memory.
    void clear() noexcept {
        size_ = taken_ = 0;
        complete_ = true;
    }
    /// The next take() begins at the beginning again.
    void rewind() noexcept { taken_ = 0; }

    /// Some part has state that it cannot restore.
    void mark_incomplete() noexcept { complete_ = false; }
    [[nodiscard]] bool complete() const noexcept { return complete_; }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void put(memory_range what) {
        if (what.size == 0) return;
        std::memcpy(make_room(what.size), reinterpret_cast<const void*>(what.address), what.size);
    }
    void take(memory_range into) noexcept {
        if (into.size == 0) return;
        std::memcpy(reinterpret_cast<void*>(into.address), bytes_.get() + taken_, into.size);
        taken_ += into.size;
    }

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& what) {
        std::memcpy(make_room(sizeof(T)), &what, sizeof(T));
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void take(T& into) noexcept {
        std::memcpy(&into, bytes_.get() + taken_, sizeof(T));
        taken_ += sizeof(T);
    }

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const std::vector<T>& what) {
        put(what.size());
        put(memory_range{reinterpret_cast<std::uintptr_t>(what.data()), what.size() * sizeof(T)});
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void take(std::vector<T>& into) {
        std::size_t count = 0;
        take(count);
        into.resize(count);
        take(memory_range{reinterpret_cast<std::uintptr_t>(into.data()), count * sizeof(T)});
    }

private:
    std::byte* make_room(std::size_t more) {
        if (room_ - size_ < more) grow(more);
        return bytes_.get() + std::exchange(size_, size_ + more);
    }
    void grow(std::size_t more) {
        room_ = std::max(2 * room_, size_ + more);
        auto larger = std::make_unique_for_overwrite<std::byte[]>(room_);
        if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
        bytes_ = std::move(larger);
    }

    std::unique_ptr<std::byte[]> bytes_;
    std::size_t room_ = 0;
    std::size_t size_ = 0;
    std::size_t taken_ = 0;
    bool complete_ = true;
};

}  // namespace ordeal::detail
