// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <mutex>

namespace examples {

/// An object that is made when it is first asked for, by the thread that asks. Who comes later takes no lock.
///
/// The constructor of the object happens before every return of get(). When it throws, get() throws, and the next call tries
/// again. No other thread may use this object while it is destroyed.
///
/// Source: D. C. Schmidt, T. Harrison, "Double-checked locking" (PLoP 1996); why it needs orders: S. Meyers, A. Alexandrescu,
/// "C++ and the perils of double-checked locking" (DDJ 2004).
template <class T>
class lazy {
public:
    lazy() = default;
    lazy(const lazy&) = delete;
    lazy& operator=(const lazy&) = delete;
    // order: relaxed: nobody else is there any more.
    ~lazy() { delete object_.load(std::memory_order_relaxed); }

    [[nodiscard]] T& get() {
        // order: acquire <- get: the object. If it were weaker, its members may be read before they are written.
        T* object = object_.load(std::memory_order_acquire);
        if (object == nullptr) {
            const std::scoped_lock lock(mutex_);
            // order: relaxed: who wrote it had the mutex, and that orders the two.
            object = object_.load(std::memory_order_relaxed);
            if (object == nullptr) {
                object = new T;
                // order: release -> get: the object, to those who take no lock.
                object_.store(object, std::memory_order_release);
            }
        }
        return *object;
    }

private:
    std::atomic<T*> object_{nullptr};
    std::mutex mutex_;
};

}  // namespace examples
