// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace examples {

namespace detail {

// A callback in the list of its source. Destroyed by its owner at any time, on any thread, while it runs too.
class stop_callback_base {
public:
    stop_callback_base(const stop_callback_base&) = delete;
    stop_callback_base& operator=(const stop_callback_base&) = delete;

protected:
    using function = void (*)(stop_callback_base&) noexcept;
    explicit stop_callback_base(function run) noexcept : run_(run) {}
    ~stop_callback_base() = default;

private:
    friend class stop_state;

    function run_;
    stop_callback_base* next_ = nullptr;      // under the mutex
    stop_callback_base** in_list_ = nullptr;  // what points to this one; null: in no list. Under the mutex
    bool* destroyed_ = nullptr;               // while it runs, on the thread that runs it
    std::atomic<bool> finished_{false};
};

class stop_state {
public:
    [[nodiscard]] bool requested() const noexcept {
        // order: acquire <- request: what was done before stopping was asked for.
        return requested_.load(std::memory_order_acquire);
    }

    bool request() noexcept {
        std::unique_lock lock(mutex_);
        // order: relaxed: written under the mutex only.
        if (requested_.load(std::memory_order_relaxed)) return false;
        runner_ = std::this_thread::get_id();
        // order: release -> requested: what was done before.
        requested_.store(true, std::memory_order_release);
        while (first_ != nullptr) {
            stop_callback_base& callback = *first_;
            unlink(callback);
            bool destroyed = false;
            callback.destroyed_ = &destroyed;
            lock.unlock();
            callback.run_(callback);
            if (!destroyed) {
                callback.destroyed_ = nullptr;
                // order: release -> remove: what the callback did, before it is destroyed. This is the last access to
                //        it.
                callback.finished_.store(true, std::memory_order_release);
            }
            lock.lock();
        }
        return true;
    }

    // False: stopping was asked for already, and the callback is in no list.
    [[nodiscard]] bool add(stop_callback_base& callback) noexcept {
        const std::scoped_lock guard(mutex_);
        // order: relaxed: written under the mutex only.
        if (requested_.load(std::memory_order_relaxed)) return false;
        callback.next_ = first_;
        if (first_ != nullptr) first_->in_list_ = &callback.next_;
        callback.in_list_ = &first_;
        first_ = &callback;
        return true;
    }

    void remove(stop_callback_base& callback) noexcept {
        {
            const std::scoped_lock guard(mutex_);
            if (callback.in_list_ != nullptr) {
                unlink(callback);
                return;
            }
            if (runner_ == std::this_thread::get_id()) {
                // It destroys itself, or has run already on this thread.
                if (callback.destroyed_ != nullptr) *callback.destroyed_ = true;
                return;
            }
        }
        // order: acquire <- request: what the callback did.
        while (!callback.finished_.load(std::memory_order_acquire)) std::this_thread::yield();
    }

private:
    static void unlink(stop_callback_base& callback) noexcept {
        *callback.in_list_ = callback.next_;
        if (callback.next_ != nullptr) callback.next_->in_list_ = callback.in_list_;
        callback.in_list_ = nullptr;
    }

    std::mutex mutex_;
    std::atomic<bool> requested_{false};
    std::thread::id runner_;  // who asked for stopping; under the mutex
    stop_callback_base* first_ = nullptr;
};

}  // namespace detail

/// Asks for stopping, and looks whether somebody did. Copies share one state.
///
/// Thread safety: as std::stop_source and std::stop_token: all functions, on copies and on one object, but for
/// assignment.
/// Ordering:      what happened before the request_stop() that returned true happens before stop_requested() returns
///                true, and before each callback.
/// Source:        N. Josuttis, L. Baker, B. O'Neal and others, "Stop token and joining thread" (P0660, 2019).
class stop_source {
public:
    stop_source() : state_(std::make_shared<detail::stop_state>()) {}

    [[nodiscard]] bool stop_requested() const noexcept { return state_->requested(); }

    /// Runs the callbacks, on this thread, and returns true; false if somebody else was first, whose callbacks may
    /// still run.
    bool request_stop() const noexcept {
        const auto kept = state_;  // a callback may destroy *this
        return kept->request();
    }

private:
    template <class Function>
    friend class stop_callback;

    std::shared_ptr<detail::stop_state> state_;
};

/// Calls a function once stopping is asked for: on the thread that asks, or at once if that was before.
///
/// Lifetime:      the destructor returns when the function does not run any more and will not: it waits for one that
///                runs on another thread. A function may destroy its own callback.
/// Errors:        a function that throws calls std::terminate.
template <class Function>
class stop_callback : detail::stop_callback_base {
public:
    stop_callback(const stop_source& source, Function function)
        : stop_callback_base([](stop_callback_base& self) noexcept { static_cast<stop_callback&>(self).function_(); }),
          state_(source.state_),
          function_(std::move(function)) {
        if (state_->add(*this)) return;
        state_.reset();
        function_();
    }
    ~stop_callback() {
        if (state_) state_->remove(*this);
    }

private:
    std::shared_ptr<detail::stop_state> state_;  // null: never in a list
    Function function_;
};

}  // namespace examples
