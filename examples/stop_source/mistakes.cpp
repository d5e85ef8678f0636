// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made at the end of a callback, each with the violation that it must get. One callback, which has
// begun to run on one thread, is destroyed by another.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <memory>

namespace examples {
namespace {

// The destructor sleeps instead of spinning, so that it must be woken. It may be woken by the store alone: the callback
// is gone when it is notified.
class notifies_after_the_store {
public:
    ~notifies_after_the_store() { finished_.wait(false, std::memory_order_acquire); }
    void run() {
        finished_.store(true, std::memory_order_release);
        finished_.notify_all();
    }

private:
    std::atomic<bool> finished_{false};
};

// The destructor only sees to it that the callback does not begin any more.
class does_not_wait {
public:
    ~does_not_wait() { begun_.exchange(true); }
    void run() {
        if (!begun_.exchange(true)) ++calls_;
    }

private:
    std::atomic<bool> begun_{false};
    int calls_ = 0;
};

template <class Callback>
struct destroyed_while_it_runs {
    static constexpr bool exhibit = true;
    static constexpr auto threads = std::array{"runs", "destroys"};
    std::unique_ptr<Callback> callback = std::make_unique<Callback>();
    Callback* const registered = callback.get();

    void run(int thread) {
        if (thread == 0) {
            registered->run();
        } else {
            callback.reset();
        }
    }
};

struct late_notification : destroyed_while_it_runs<notifies_after_the_store> {
    static constexpr auto about = "The end is stored and then notified: the callback is destroyed in between.";
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::notification_after_destruction);
};
ORDEAL_SCENARIO("stop_source_mistakes/late_notification", late_notification);

struct no_wait : destroyed_while_it_runs<does_not_wait> {
    static constexpr auto about = "The destructor does not wait: the callback goes on in memory that is gone.";
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::unsynchronised_destruction);
};
ORDEAL_SCENARIO("stop_source_mistakes/no_wait", no_wait);

}  // namespace
}  // namespace examples
