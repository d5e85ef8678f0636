// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest program for each kind of violation: an engine that does not report one of these is not looking. Here
// those that one thread can bring about.
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/exhibits/parked.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <exception>
#include <new>

namespace ordeal::exhibits {

namespace {

struct one_thread {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "control";
    static constexpr auto threads = std::array{"only"};
};

template <atomic_policy P>
struct control_use_after_free : one_thread {
    using number = typename P::template cell<int>;

    static constexpr auto about = "A cell is read after it was deleted.";
    static constexpr auto expected = violated(violation_kind::use_after_free);

    number* object = new number(0);
    number* same = object;
    int seen = 0;

    void run(int) {
        delete object;
        seen = same->read();
    }
};

ORDEAL_SCENARIO("exhibit/control/use_after_free", control_use_after_free);

template <atomic_policy P>
struct control_double_free : one_thread {
    static constexpr auto about = "A block is freed twice.";
    static constexpr auto expected = violated(violation_kind::double_free);

    void* block = ::operator new(16);
    void* same = block;

    void run(int) {
        ::operator delete(block);
        ::operator delete(same);
    }
};

ORDEAL_SCENARIO("exhibit/control/double_free", control_double_free);

template <atomic_policy P>
struct control_frame_misuse : one_thread {
    static constexpr auto about = "A coroutine is resumed a second time while it runs.";
    static constexpr auto expected = violated(violation_kind::frame_misuse);

    parked<P> place;

    void run(int) {
        resume_itself();
        place.resume();
    }
    detached resume_itself() {
        co_await place;
        place.resume();
    }
};

ORDEAL_SCENARIO("exhibit/control/frame_misuse", control_frame_misuse);

template <atomic_policy P>
struct control_precondition : one_thread {
    static constexpr auto about = "A block is freed as an array, and was none.";
    static constexpr auto expected = violated(violation_kind::precondition);

    void* block = ::operator new(16);

    void run(int) { ::operator delete[](block); }
};

ORDEAL_SCENARIO("exhibit/control/precondition", control_precondition);

template <atomic_policy P>
struct control_leak : one_thread {
    static constexpr auto about = "A suspended coroutine is never resumed and never destroyed.";
    static constexpr auto expected = violated(violation_kind::leak);

    parked<P> place;

    void run(int) { wait_forever(); }
    detached wait_forever() { co_await place; }
};

ORDEAL_SCENARIO("exhibit/control/leak", control_leak);

template <atomic_policy P>
struct control_livelock : one_thread {
    static constexpr auto about = "A loop waits for a flag that nobody raises.";
    static constexpr auto expected = violated(violation_kind::livelock);

    typename P::template atomic<bool> flag{false};

    void run(int) {
        // order: relaxed: only the value matters.
        while (!flag.load(std::memory_order_relaxed)) P::yield();
    }
};

ORDEAL_SCENARIO("exhibit/control/livelock", control_livelock);

template <atomic_policy P>
struct control_uninitialised_read : one_thread {
    static constexpr auto about = "A cell is read that nobody has written.";
    static constexpr auto expected = violated(violation_kind::uninitialised_read);

    typename P::template cell<int> value;
    int seen = 0;

    void run(int) { seen = value.read(); }
};

ORDEAL_SCENARIO("exhibit/control/uninitialised_read", control_uninitialised_read);

template <atomic_policy P>
struct control_uncaught_exception : one_thread {
    struct thrown_on_purpose : std::exception {
        [[nodiscard]] const char* what() const noexcept override { return "thrown on purpose"; }
    };

    static constexpr auto about = "An exception leaves the body of a thread.";
    static constexpr auto expected = violated(violation_kind::uncaught_exception);

    void run(int) { throw thrown_on_purpose(); }
};

ORDEAL_SCENARIO("exhibit/control/uncaught_exception", control_uncaught_exception);

}  // namespace

}  // namespace ordeal::exhibits
