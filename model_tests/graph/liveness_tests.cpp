// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What never goes on: loops without an end, locks and waits that nobody ends.
#include "model_tests/graph/graph_search.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal::model_tests {

namespace {

// Waits for a write that nobody makes; another thread does what has nothing to do with it.
template <bool Yielding>
struct waits_for_ever {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> flag{0};
        typename P::template atomic<int> other{0};

        void run(int thread) {
            if (thread == 0) {
                while (flag.load(acquire) == 0) {
                    if constexpr (Yielding) P::yield();
                }
            } else {
                other.store(1, release);
                flag.store(0, release);
            }
        }
    };
};

// Each waits for the other to go first.
template <class P>
struct after_you {
    static constexpr auto threads = two_threads;
    std::array<typename P::template atomic<int>, 2> gone{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        while (gone[1 - me].load(acquire) == 0) {
        }
        gone[me].store(1, release);
    }
};

// Only where the second store is lost to the one thread, because the other overwrites it.
template <class P>
struct overwritten_signal {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> signal{0};

    void run(int thread) {
        if (thread < 2) return signal.store(thread + 1, release);
        while (signal.load(acquire) != 2) {
        }
    }
};

// Counts its iterations, and never stops.
template <bool Yielding>
struct counts_for_ever {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> flag{0};
        unsigned iterations = 0;
        int seen = 0;

        void run(int thread) {
            if (thread == 0) return flag.store(1, relaxed);
            while ((seen = flag.load(relaxed)) == 0) {
                if constexpr (Yielding) P::yield();
                ++iterations;
            }
        }
        [[nodiscard]] std::string outcome() const { return values(seen); }
    };
};

template <class P>
struct counts_alone : counts_for_ever<false>::template test<P> {
    static constexpr auto threads = std::array{"only"};
    void run(int) { counts_for_ever<false>::template test<P>::run(1); }
};

// Counts its iterations, and gives up.
template <unsigned Most>
struct counts_to {
    template <class P>
    struct test : counts_for_ever<false>::template test<P> {
        using base = counts_for_ever<false>::template test<P>;

        void run(int thread) {
            if (thread == 0) return base::run(0);
            while (this->iterations < Most && (this->seen = this->flag.load(relaxed)) == 0) ++this->iterations;
        }
    };
};

template <class P>
struct counts_to_alone : counts_to<1000>::template test<P> {
    static constexpr auto threads = std::array{"only"};
    void run(int) { counts_to<1000>::template test<P>::run(1); }
};

enum class sequence : std::uint8_t { opposite, same };

template <sequence How>
struct two_mutexes {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::mutex first;
        typename P::mutex second;
        int taken = 0;

        void run(int thread) {
            auto& outer = thread == 0 || How == sequence::same ? first : second;
            auto& inner = thread == 0 || How == sequence::same ? second : first;
            outer.lock();
            inner.lock();
            ++taken;
            inner.unlock();
            outer.unlock();
        }
        [[nodiscard]] std::string outcome() const { return values(taken); }
    };
};

template <class P>
struct locks_twice {
    static constexpr auto threads = std::array{"only"};
    typename P::mutex mutex;
    void run(int) {
        mutex.lock();
        mutex.lock();
    }
};

template <class P>
struct keeps_the_lock {
    static constexpr auto threads = two_threads;
    typename P::mutex mutex;
    void run(int) { mutex.lock(); }
};

template <std::size_t Waiters>
constexpr auto waker_and() {
    std::array<const char*, Waiters + 1> names{};
    names.fill("waiter");
    names[0] = "waker";
    return names;
}

enum class wake : std::uint8_t { nobody, one, one_twice, all, one_before };

// One thread stores and wakes; the others wait on the atomic.
template <wake How, std::size_t Waiters>
struct sleeps {
    template <class P>
    struct test {
        static constexpr auto threads = waker_and<Waiters>();
        typename P::template atomic<int> flag{0};
        typename P::template atomic<int> through{0};
        int woken = 0;

        void run(int thread) {
            if (thread != 0) {
                flag.wait(0, acquire);
                through.fetch_add(1, relaxed);
                return;
            }
            if (How == wake::one_before) flag.notify_one();
            flag.store(1, release);
            if (How == wake::one || How == wake::one_twice) flag.notify_one();
            if (How == wake::one_twice) flag.notify_one();
            if (How == wake::all) flag.notify_all();
        }
        void finish() { woken = through.load(relaxed); }
        [[nodiscard]] std::string outcome() const { return values(woken); }
    };
};

enum class posting : std::uint8_t { notifies_after, notifies_before };

// Permits that are waited for; a permit is there for each waiter.
template <posting How, std::size_t Waiters>
struct semaphore_of_waits {
    template <class P>
    struct test {
        static constexpr auto threads = waker_and<Waiters>();
        typename P::template atomic<int> permits{0};

        void run(int thread) {
            if (thread == 0) {
                for (std::size_t i = 0; i < Waiters; ++i) post();
            } else {
                acquire_one();
            }
        }
        [[nodiscard]] std::string outcome() const { return "ended"; }

    private:
        void post() {
            if (How == posting::notifies_before) permits.notify_one();
            permits.fetch_add(1, seq_cst);
            if (How == posting::notifies_after) permits.notify_one();
        }
        void acquire_one() {
            for (;;) {
                int seen = permits.load(seq_cst);
                if (seen == 0) {
                    permits.wait(0, seq_cst);
                } else if (permits.compare_exchange_strong(seen, seen - 1, seq_cst, relaxed)) {
                    return;
                }
            }
        }
    };
};

enum class first_call : std::uint8_t { one, all };

// Each store is notified. Some threads wait while there is nothing, and the last one while there is only the first
// store.
template <first_call How, std::size_t Waiters>
struct waits_for_two_values {
    template <class P>
    struct test {
        static constexpr auto threads = waker_and<Waiters + 1>();
        typename P::template atomic<int> value{0};

        void run(int thread) {
            if (thread != 0) return value.wait(thread == Waiters + 1 ? 1 : 0, relaxed);
            value.store(1, relaxed);
            if (How == first_call::one) value.notify_one();
            if (How == first_call::all) value.notify_all();
            value.store(2, relaxed);
            value.notify_one();
        }
        [[nodiscard]] std::string outcome() const { return "ended"; }
    };
};

// The store and the notification are over before the thread begins to wait, and the value has changed: it does not
// wait.
template <class P>
struct waits_after_the_notification {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> flag{0};
    typename P::template atomic<int> notified{0};

    void run(int thread) {
        if (thread == 0) {
            flag.store(1, relaxed);
            flag.notify_one();
            notified.store(1, release);
        } else if (notified.load(acquire) == 1) {
            flag.wait(0, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return "ended"; }
};

}  // namespace

TEST_CASE("A loop that waits for a write that nobody makes is a livelock") {
    check_violated(make_scenario<waits_for_ever<false>::test>("waits for ever"), violation_kind::livelock);
    check_violated(make_scenario<waits_for_ever<true>::test>("waits for ever, yielding"), violation_kind::livelock);
    check_violated(make_scenario<after_you>("after you"), violation_kind::livelock);
    check_violated(make_scenario<overwritten_signal>("overwritten signal"), violation_kind::livelock);
}

TEST_CASE("A loop that counts without an end is a livelock") {
    const auto result = check_violated(make_scenario<counts_alone>("counts alone"), violation_kind::livelock);
    CHECK(result.message.find("more than 10000 operations") != std::string::npos);
}

TEST_CASE("A loop that counts until another thread ends it is followed for some iterations, and the limit says so") {
    check_held_within(make_scenario<counts_for_ever<false>::test>("counts until it is set"),
                      "only 32 iterations were explored", {"1"});
}

TEST_CASE("A loop that counts to an end of its own is followed there where nothing else can happen") {
    check_held(make_scenario<counts_to<20>::test>("counts to 20"), {"0", "1"});
    check_held_within(make_scenario<counts_to<1000>::test>("counts to 1000"), "only 32 iterations were explored",
                      {"1"});
    check_held(make_scenario<counts_to_alone>("counts alone to 1000"), {"0"});
}

TEST_CASE("A loop that counts without an end and yields is followed for some iterations, and the limit says so") {
    check_held_within(make_scenario<counts_for_ever<true>::test>("counts for ever, yielding"),
                      "followed for 8 iterations", {"1"});
}

TEST_CASE("Two mutexes locked in opposite orders are a deadlock, in the same order they are not") {
    check_violated(make_scenario<two_mutexes<sequence::opposite>::test>("opposite"), violation_kind::deadlock);
    check_held(make_scenario<two_mutexes<sequence::same>::test>("same"), {"2"});
}

TEST_CASE("A mutex that nobody unlocks is a deadlock") {
    check_violated(make_scenario<locks_twice>("locks twice"), violation_kind::deadlock);
    check_violated(make_scenario<keeps_the_lock>("keeps the lock"), violation_kind::deadlock);
}

TEST_CASE("A wait that no notification ends is a deadlock") {
    check_violated(make_scenario<sleeps<wake::nobody, 1>::test>("no notification"), violation_kind::deadlock);
    check_violated(make_scenario<sleeps<wake::one_before, 1>::test>("notified before"), violation_kind::deadlock);
    check_violated(make_scenario<sleeps<wake::one, 2>::test>("one for two"), violation_kind::deadlock);
    check_violated(make_scenario<sleeps<wake::one_twice, 3>::test>("two for three"), violation_kind::deadlock);
}

TEST_CASE("Waits that are all notified end") {
    check_held(make_scenario<sleeps<wake::one, 1>::test>("one for one"), {"1"});
    check_held(make_scenario<sleeps<wake::one_twice, 1>::test>("two for one"), {"1"});
    check_held(make_scenario<sleeps<wake::one_twice, 2>::test>("two for two"), {"2"});
    check_held(make_scenario<sleeps<wake::all, 2>::test>("all of two"), {"2"});
    check_held(make_scenario<sleeps<wake::all, 3>::test>("all of three"), {"3"});
    check_held(make_scenario<waits_after_the_notification>("waits after the notification"), {"ended"});
}

// A wait for 0 is there for the first notification if it is for the second one, which one of two such waits may take.
TEST_CASE("A wait takes the second of two notifications only if the first went to another") {
    check_held(make_scenario<waits_for_two_values<first_call::one, 1>::test>("one, one waits for 0"), {"ended"});
    check_violated(make_scenario<waits_for_two_values<first_call::one, 2>::test>("one, two wait for 0"),
                   violation_kind::deadlock);
    check_held(make_scenario<waits_for_two_values<first_call::all, 1>::test>("all, one waits for 0"), {"ended"});
    check_held(make_scenario<waits_for_two_values<first_call::all, 2>::test>("all, two wait for 0"), {"ended"});
}

// A notification was given to an earlier wait of the thread that waits in the end: that cannot be.
TEST_CASE("A semaphore over waits and single notifications is right when it notifies after it adds") {
    check_held(make_scenario<semaphore_of_waits<posting::notifies_after, 2>::test>("after"), {"ended"});
    check_violated(make_scenario<semaphore_of_waits<posting::notifies_before, 2>::test>("before"),
                   violation_kind::deadlock);
}

}  // namespace ordeal::model_tests
