// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A future of one's own, over a condition variable.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace ordeal::model_tests {

namespace {

template <class T>
class own_state {
public:
    void set_value(T value) {
        const std::lock_guard lock(mutex_);
        value_ = std::move(value);
        ready_.notify_all();
    }
    void set_exception(std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        error_ = std::move(error);
        ready_.notify_all();
    }
    [[nodiscard]] T get() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return value_ || error_; });
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
        return std::move(*value_);
    }
    // Does not ask whether there is one.
    [[nodiscard]] bool has_value() const { return value_.has_value(); }

private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::optional<T> value_;
    std::exception_ptr error_;
};

template <class T>
class own_promise {
public:
    [[nodiscard]] std::shared_ptr<own_state<T>> future() const { return state_; }
    void set_value(T value) { std::exchange(state_, nullptr)->set_value(std::move(value)); }
    own_promise() = default;
    own_promise(own_promise&&) = default;
    own_promise& operator=(own_promise&&) = delete;
    ~own_promise() {
        if (state_) state_->set_exception(std::make_exception_ptr(std::runtime_error("broken promise")));
    }

private:
    std::shared_ptr<own_state<T>> state_ = std::make_shared<own_state<T>>();
};

struct own_future_has_the_value {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        own_promise<std::string> promise;
        const auto future = promise.future();
        std::thread worker([promise = std::move(promise)]() mutable {
            promise.set_value("a string that is too long to be stored in place");
        });
        require(future->get().size() == 47);
        worker.join();
    }
};

struct own_future_without_waiting {
    static constexpr auto threads = std::array{"worker", "reader"};
    own_state<int> state;

    void run(int thread) {
        if (thread == 0) {
            state.set_value(1);
        } else if (state.has_value()) {
            require(state.get() == 1);
        }
    }
};

template <bool IsCaught>
struct own_promise_is_broken {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        own_promise<int> promise;
        const auto future = promise.future();
        const std::jthread worker(
            [promise = std::move(promise)]() mutable { const own_promise ended(std::move(promise)); });
        if constexpr (IsCaught) {
            try {
                (void)future->get();
                require(false, "a broken promise has no value");
            } catch (const std::runtime_error& error) {
                require(error.what() == std::string("broken promise"));
            }
        } else {
            (void)future->get();
        }
    }
};

// Says that the value is there before it is.
template <bool ValueFirst, std::memory_order Store>
struct flag_and_value {
    static constexpr auto threads = std::array{"worker", "reader"};
    std::atomic<bool> ready{false};
    int value = 0;
    int seen = 1;

    void run(int thread) {
        if (thread == 0) {
            if (ValueFirst) value = 1;
            ready.store(true, Store);
            if (!ValueFirst) value = 1;
        } else if (ready.load(std::memory_order_acquire)) {
            seen = value;
        }
    }
    void finish() const { require(seen == 1); }
};

ORDEAL_SCENARIO("programs/own_future_has_the_value", own_future_has_the_value);
ORDEAL_SCENARIO("programs/own_future_without_waiting", wrong<own_future_without_waiting, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/own_promise_is_broken", own_promise_is_broken<true>);
ORDEAL_SCENARIO("programs/own_promise_is_broken_unnoticed",
                wrong<own_promise_is_broken<false>, violation_kind::uncaught_exception>);
ORDEAL_SCENARIO("programs/value_then_flag", flag_and_value<true, std::memory_order_release>);
ORDEAL_SCENARIO("programs/flag_then_value",
                wrong<flag_and_value<false, std::memory_order_release>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/value_then_flag_relaxed",
                wrong<flag_and_value<true, std::memory_order_relaxed>, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
