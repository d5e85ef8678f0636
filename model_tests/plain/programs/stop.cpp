// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks for a request to stop, which may come while the object that they are about is being destroyed.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace ordeal::model_tests {

namespace {

struct jthread_is_stopped {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int ended = 0;
        {
            const std::jthread worker([&ended](const std::stop_token& stop) {
                while (!stop.stop_requested()) std::this_thread::yield();
                ended = 1;
            });
        }
        require(ended == 1);
    }
};

struct jthread_waits_for_stop {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex mutex;
        std::condition_variable_any changed;
        bool stopped = false;
        {
            const std::jthread worker([&](std::stop_token stop) {
                std::unique_lock lock(mutex);
                stopped = !changed.wait(lock, std::move(stop), [] { return false; });
            });
        }
        require(stopped);
    }
};

// When the callback is gone it has been called, or never will be: what it uses may go too.
struct std_callback {
    static constexpr auto threads = std::array{"stopper", "owner"};
    std::stop_source source;
    int* calls = new int(0);

    void run(int thread) {
        if (thread == 0) {
            source.request_stop();
        } else {
            {
                const std::stop_callback callback(source.get_token(), [this] { ++*calls; });
            }
            require(*calls == 0 || *calls == 1);
            delete calls;
        }
    }
};

// As above: whoever calls it has done with it when its destructor returns.
struct std_callback_on_the_heap {
    static constexpr auto threads = std::array{"stopper", "owner"};
    std::stop_source source;
    int calls = 0;
    using callback_type = std::stop_callback<std::function<void()>>;
    std::unique_ptr<callback_type> callback = std::make_unique<callback_type>(source.get_token(), [this] { ++calls; });

    void run(int thread) {
        if (thread == 0) {
            source.request_stop();
        } else {
            callback.reset();
            require(calls < 2);
        }
    }
};

// The same, in less: does not know that a callback runs which it has given away.
class forgetful_registry {
public:
    void set(const std::function<void()>* callback) {
        const std::lock_guard lock(mutex_);
        callback_ = callback;
    }
    void request_stop() {
        const std::function<void()>* callback = nullptr;
        {
            const std::lock_guard lock(mutex_);
            callback = std::exchange(callback_, nullptr);
        }
        if (callback != nullptr) (*callback)();
    }

private:
    std::mutex mutex_;
    const std::function<void()>* callback_ = nullptr;
};

// Calls it with the lock held, so that it can only be taken away before or after. It may itself ask for more.
template <class Mutex>
class locked_registry {
public:
    void set(const std::function<void()>* callback) {
        const std::lock_guard lock(mutex_);
        callback_ = callback;
    }
    void request_stop() {
        const std::lock_guard lock(mutex_);
        if (callback_ != nullptr) (*std::exchange(callback_, nullptr))();
    }

private:
    Mutex mutex_;
    const std::function<void()>* callback_ = nullptr;
};

template <class Registry>
struct own_callback {
    static constexpr auto threads = std::array{"stopper", "owner"};
    Registry registry;
    int* calls = new int(0);
    std::function<void()> callback = [this] { ++*calls; };

    void run(int thread) {
        if (thread == 0) {
            registry.request_stop();
        } else {
            registry.set(&callback);
            registry.set(nullptr);
            delete calls;
        }
    }
};

// A callback that takes itself away.
template <class Mutex>
struct callback_unregisters {
    static constexpr auto threads = std::array{"stopper", "owner"};
    locked_registry<Mutex> registry;
    std::function<void()> callback = [this] { registry.set(nullptr); };

    void run(int thread) {
        if (thread == 0) {
            registry.request_stop();
        } else {
            registry.set(&callback);
        }
    }
};

// Stops by a plain flag, as programs did before there were threads in the language.
struct stopped_by_plain_flag {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        volatile bool stop = false;
        int iterations = 0;
        std::thread worker([&] {
            if (!stop) ++iterations;
        });
        stop = true;
        worker.join();
        require(iterations < 2);
    }
};

ORDEAL_SCENARIO("programs/stop_jthread", jthread_is_stopped);
ORDEAL_SCENARIO("programs/stop_jthread_waits", jthread_waits_for_stop);
ORDEAL_SCENARIO("programs/stop_callback", std_callback);
ORDEAL_SCENARIO("programs/stop_callback_on_the_heap", std_callback_on_the_heap);
ORDEAL_SCENARIO("programs/stop_own_callback", own_callback<locked_registry<std::mutex>>);
ORDEAL_SCENARIO("programs/stop_own_callback_forgotten",
                wrong<own_callback<forgetful_registry>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/stop_callback_unregisters", callback_unregisters<std::recursive_mutex>);
ORDEAL_SCENARIO("programs/stop_callback_locks_itself_out",
                wrong<callback_unregisters<std::mutex>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/stop_plain_flag", wrong<stopped_by_plain_flag, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
