// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <utility>

namespace examples {

/// What an object derives from that counted_pointers share.
class counted {
    template <class>
    friend class counted_pointer;
    std::atomic<int> references_{1};
};

/// One of the owners of an object, which the last of them deletes. Several threads may use pointers to one object at once, but
/// one pointer is for one thread at a time, as a std::shared_ptr is.
///
/// What any owner did before it gave its pointer up happens before the destruction of the object, and before what the last
/// owner does after unique() returned true.
///
/// Source: "Reference counting" in the documentation of Boost.Atomic (H. Bohm, T. Blechmann, 2011).
template <class T>
class counted_pointer {
public:
    template <class... Arguments>
    [[nodiscard]] static counted_pointer make(Arguments&&... arguments) {
        return counted_pointer(new T(std::forward<Arguments>(arguments)...));
    }
    counted_pointer(const counted_pointer& other) noexcept : object_(other.object_) {
        // order: relaxed: who copies owns the object, so that it stays.
        if (object_ != nullptr) object_->references_.fetch_add(1, std::memory_order_relaxed);
    }
    counted_pointer(counted_pointer&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    counted_pointer& operator=(counted_pointer other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~counted_pointer() { reset(); }

    void reset() noexcept {
        T* const object = std::exchange(object_, nullptr);
        // order: release -> reset, unique: what this owner did with the object.
        if (object == nullptr || object->references_.fetch_sub(1, std::memory_order_release) != 1) return;
        // order: acquire <- reset: what all the other owners did, before it is deleted.
        std::atomic_thread_fence(std::memory_order_acquire);
        delete object;
    }

    /// Whether this is the only owner, so that nobody else reads what is written now.
    [[nodiscard]] bool unique() const noexcept {
        // order: acquire <- reset: what the other owners did.
        return object_->references_.load(std::memory_order_acquire) == 1;
    }

    T& operator*() const noexcept { return *object_; }
    T* operator->() const noexcept { return object_; }

private:
    explicit counted_pointer(T* object) noexcept : object_(object) {}
    T* object_;
};

}  // namespace examples
