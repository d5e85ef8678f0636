// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions from everything of the user's that the primitives call: the awaiter, the result, the coroutine's body.
#include "stress/faults.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/task.hpp"

#include <optional>
#include <string>
#include <utility>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::stress_tests;

namespace {

struct thrown {};

enum class place { nowhere, get_awaiter, await_ready, await_suspend, await_resume, resumed, body };

constexpr place places[] = {place::nowhere,      place::get_awaiter, place::await_ready, place::await_suspend,
                            place::await_resume, place::resumed,     place::body};

// Throws in one place. At `resumed` it suspends on the gate first.
struct throwing {
    place where;
    gate* begin = nullptr;

    struct awaiter {
        place where;
        gate* begin;

        [[nodiscard]] bool await_ready() const {
            if (where == place::await_ready) throw thrown();
            return false;
        }
        [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) const {
            if (where == place::await_suspend) throw thrown();
            if (where != place::resumed) return false;
            begin->await_suspend(awaiting);  // NOLINT(clang-analyzer-core.CallAndMessage): set where resumed
            return true;
        }
        [[nodiscard]] int await_resume() const {
            if (where == place::await_resume || where == place::resumed) throw thrown();
            return 42;
        }
    };
    awaiter operator co_await() const {
        if (where == place::get_awaiter) throw thrown();
        return {where, begin};
    }
};

coro::task<int> inner(place where, gate& begin) {
    const int value = co_await throwing{where, &begin};
    if (where == place::body) throw thrown();
    co_return value;
}

coro::task<int> outer(place where, gate& begin) { co_return co_await inner(where, begin); }

struct ended {
    std::optional<int> value;
    bool threw = false;
};

coro::detached take(coro::task<int> work, ended& how) {
    try {
        how.value = co_await std::move(work);
    } catch (const thrown&) {
        how.threw = true;
    }
}

// Live blocks that `call` leaves behind.
template <class Call>
std::int64_t leaked_by(Call call) {
    count_allocations_of_this_thread();
    const std::int64_t live = counted_live_blocks();
    call();
    return counted_live_blocks() - live;
}

void check(const ended& how, place where) {
    CHECK(how.threw == (where != place::nowhere));
    CHECK(how.value == (where == place::nowhere ? std::optional(42) : std::nullopt));
}

// A result whose n-th move throws; every object must be destroyed.
class fussy {
public:
    static inline int moves_left = 0;  // 0: none throws
    static inline int alive = 0;

    fussy() noexcept { ++alive; }
    fussy(fussy&&) {  // NOLINT(performance-noexcept-move-constructor): it throws
        if (moves_left != 0 && --moves_left == 0) throw thrown();
        ++alive;
    }
    fussy& operator=(fussy&&) = delete;
    ~fussy() { --alive; }
};

coro::task<fussy> make_fussy() { co_return fussy(); }

coro::detached take_fussy(coro::task<fussy> work, ended& how) {
    try {
        const fussy result = co_await std::move(work);
        how.value = 42;
    } catch (const thrown&) {
        how.threw = true;
    }
}

// Makes each move in turn throw; returns how many there are.
template <class Program>
int throw_in_each_move(Program program) {
    for (int n = 1;; ++n) {
        CAPTURE(n);
        ended how;
        fussy::moves_left = n;
        const std::int64_t leaked = leaked_by([&] { program(how); });
        const bool fired = fussy::moves_left == 0;
        fussy::moves_left = 0;
        CHECK(leaked == 0);
        CHECK(fussy::alive == 0);
        CHECK(how.threw == fired);
        CHECK(how.value.has_value() == !fired);
        if (!fired) return n - 1;
        REQUIRE(n < 20);
    }
}

}  // namespace

TEST_CASE("an exception from an awaiter or the body of a task reaches the awaiting coroutine, through two tasks") {
    for (const place where : places) {
        CAPTURE(static_cast<int>(where));
        ended how;
        const std::int64_t leaked = leaked_by([&] {
            gate begin;
            take(outer(where, begin), how);
            begin.open();
        });
        check(how, where);
        CHECK(leaked == 0);
    }
}

TEST_CASE("an exception from an awaiter or the body of a task leaves sync_wait") {
    for (const place where : places) {
        if (where == place::resumed) continue;  // needs another thread: sync_wait/exception_against_completion
        CAPTURE(static_cast<int>(where));
        ended how;
        const std::int64_t leaked = leaked_by([&] {
            gate begin;
            try {
                how.value = coro::sync_wait(outer(where, begin));
            } catch (const thrown&) {
                how.threw = true;
            }
        });
        check(how, where);
        CHECK(leaked == 0);
    }
}

TEST_CASE("an exception from an awaiter given to sync_wait itself leaves it") {
    for (const place where :
         {place::nowhere, place::get_awaiter, place::await_ready, place::await_suspend, place::await_resume}) {
        CAPTURE(static_cast<int>(where));
        ended how;
        const std::int64_t leaked = leaked_by([&] {
            try {
                how.value = coro::sync_wait(throwing{where});
            } catch (const thrown&) {
                how.threw = true;
            }
        });
        check(how, where);
        CHECK(leaked == 0);
    }
}

TEST_CASE("an exception that nobody awaits is dropped with the frame") {
    for (const place where : places) {
        CAPTURE(static_cast<int>(where));
        const std::int64_t leaked = leaked_by([&] {
            gate begin;
            {
                const coro::task<int> dropped = outer(where, begin);
            }
            begin.open();
        });
        CHECK(leaked == 0);
    }
}

TEST_CASE("an exception from any move of a result arrives at the co_await, and every result is destroyed") {
    const int moves = throw_in_each_move([](ended& how) { take_fussy(make_fussy(), how); });
    CHECK(moves >= 2);  // into the frame and out of it
}

TEST_CASE("an exception from any move of a result leaves sync_wait, and every result is destroyed") {
    const int moves = throw_in_each_move([](ended& how) {
        try {
            const fussy result = coro::sync_wait(make_fussy());
            how.value = 42;
        } catch (const thrown&) {
            how.threw = true;
        }
    });
    CHECK(moves >= 4);  // as above, and into and out of what sync_wait keeps
}
