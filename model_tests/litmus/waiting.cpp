// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

namespace ordeal::model_tests {

namespace {

enum class notification { none, one, all };

template <class P>
struct flagged {
    typename P::template atomic<int> flag{0};
    typename P::template cell<int> data{0};
    int seen = 0;

    void notify(notification how) {
        if (how == notification::one) flag.notify_one();
        if (how == notification::all) flag.notify_all();
    }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

template <std::memory_order Store, std::memory_order Wait, notification How>
struct publish {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            if (thread == 0) {
                this->data.write() = 1;
                this->flag.store(1, Store);
                this->notify(How);
            } else {
                this->flag.wait(0, Wait);
                this->seen = this->data.read();
            }
        }
    };
};

template <notification How>
struct two_waiters {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = three_threads;
        typename P::template atomic<int> through{0};
        void run(int thread) {
            if (thread == 0) {
                this->flag.store(1, relaxed);
                this->notify(How);
            } else {
                this->flag.wait(0, relaxed);
                through.fetch_add(1, relaxed);
            }
        }
        void finish() { this->seen = through.load(relaxed); }
    };
};

// The wait can only end after the notification, or because it saw the store: neither orders the write between them.
template <class P>
struct written_after_the_store : flagged<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 0) {
            this->flag.store(1, release);
            this->data.write() = 1;
            this->flag.notify_one();
        } else {
            this->flag.wait(0, acquire);
            this->seen = this->data.read();
        }
    }
};

template <class P>
struct notified_too_early : flagged<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 0) {
            this->flag.notify_one();
            this->flag.store(1, relaxed);
        } else {
            this->flag.wait(0, relaxed);
        }
    }
};

// A waiter that is woken while the value is the old one goes on waiting.
template <class P>
struct woken_in_vain : flagged<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 0) {
            this->flag.notify_one();
            this->data.write() = 1;
            this->flag.store(1, release);
            this->flag.notify_one();
        } else {
            this->flag.wait(0, acquire);
            this->seen = this->data.read();
        }
    }
};

// Waiting by a loop that yields.
template <std::memory_order Load, bool Set>
struct spinning {
    template <class P>
    struct test : flagged<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            if (thread == 0) {
                this->data.write() = 1;
                if (Set) this->flag.store(1, release);
            } else {
                while (this->flag.load(Load) == 0) P::yield();
                this->seen = this->data.read();
            }
        }
    };
};

}  // namespace

litmus_table waiting() {
    using enum notification;
    return {"Waiting and notifying",
            "The data seen after the wait, or how many waiters went on.",
            "[atomics.wait].",
            {agrees<publish<release, acquire, one>::test>("wait, notify_one", {"1"}),
             agrees<publish<release, acquire, all>::test>("wait, notify_all", {"1"}),
             agrees<publish<seq_cst, seq_cst, one>::test>("wait, notify_one, seq_cst", {"1"}),
             agrees<publish<release, acquire, none>::test>("wait, no notification", {"deadlock"}),
             agrees<publish<release, relaxed, one>::test>("wait relaxed, notify_one", {"data race"}),
             agrees<publish<relaxed, acquire, one>::test>("store relaxed, wait, notify_one", {"data race"}),
             agrees<publish<relaxed, relaxed, all>::test>("all relaxed, notify_all", {"data race"}),
             agrees<written_after_the_store>("data written between the store and notify_one", {"data race"}),
             agrees<notified_too_early>("notify_one before the store", {"deadlock"}),
             agrees<woken_in_vain>("notify_one before and after the store", {"1"}),
             agrees<two_waiters<all>::test>("two waiters, notify_all", {"2"}),
             agrees<two_waiters<one>::test>("two waiters, notify_one", {"deadlock"}),
             agrees<spinning<acquire, true>::test>("a loop of acquire loads that yields", {"1"}),
             agrees<spinning<relaxed, true>::test>("a loop of relaxed loads that yields", {"data race"}),
             agrees<spinning<acquire, false>::test>("a loop of loads of what nobody stores", {"livelock"})}};
}

}  // namespace ordeal::model_tests
