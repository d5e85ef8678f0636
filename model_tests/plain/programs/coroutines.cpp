// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What coroutine handles ask of who uses them ([coroutine.handle.resumption], [coroutine.handle.observers]): that the
// coroutine is suspended.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <coroutine>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace ordeal::model_tests {

namespace {

struct failure {};

// A coroutine that starts suspended and is destroyed by its owner.
class coroutine {
public:
    struct promise_type {
        coroutine get_return_object() { return coroutine(handle_type::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        [[noreturn]] void unhandled_exception() { throw; }
    };
    using handle_type = std::coroutine_handle<promise_type>;

    coroutine() = default;
    coroutine(coroutine&& from) noexcept : handle(std::exchange(from.handle, nullptr)) {}
    coroutine& operator=(coroutine&& from) noexcept {
        std::swap(handle, from.handle);
        return *this;
    }
    coroutine(const coroutine&) = delete;
    coroutine& operator=(const coroutine&) = delete;
    ~coroutine() {
        if (handle) handle.destroy();
    }

    handle_type handle;

private:
    explicit coroutine(handle_type made) : handle(made) {}
};

// `Step` is called with the handle of the coroutine that it suspends; what it returns is await_suspend()'s result.
template <class Step>
struct suspended_by {
    Step step;

    bool await_ready() const noexcept { return false; }
    auto await_suspend(std::coroutine_handle<> self) { return step(self); }
    void await_resume() const noexcept {}
};

coroutine two_parts() { co_await std::suspend_always{}; }
coroutine three_parts() {
    co_await std::suspend_always{};
    co_await std::suspend_always{};
}

// Each of two threads does something with one coroutine.
template <bool Locked>
struct both_use {
    static constexpr auto threads = std::array{"resumes", "uses"};
    coroutine shared = three_parts();
    std::mutex uses;

    template <class Use>
    void under_lock(Use use) {
        if constexpr (Locked) {
            const std::lock_guard lock(uses);
            use();
        } else {
            use();
        }
    }
};

template <bool Locked>
struct both_resume : both_use<Locked> {
    void run(int /*thread*/) {
        this->under_lock([&] { this->shared.handle.resume(); });
    }
};

template <bool Locked>
struct asked_by_another : both_use<Locked> {
    void run(int thread) {
        this->under_lock([&] {
            if (thread == 0) {
                this->shared.handle.resume();
            } else {
                require(!this->shared.handle.done());
            }
        });
    }
};

struct alone {
    static constexpr auto threads = only_main;
};

struct resumes_itself : alone {
    coroutine self;

    coroutine body(int& times) {
        if (++times == 1) self.handle.resume();
        co_await std::suspend_always{};
    }
    void run(int /*thread*/) {
        int times = 0;
        self = body(times);
        self.handle.resume();
    }
};

struct asks_itself : alone {
    coroutine self;

    coroutine body() {
        require(!self.handle.done());
        co_return;
    }
    void run(int /*thread*/) {
        self = body();
        self.handle.resume();
    }
};

struct destroys_itself : alone {
    coroutine self;

    coroutine body() {
        std::exchange(self.handle, nullptr).destroy();
        co_return;
    }
    void run(int /*thread*/) {
        self = body();
        self.handle.resume();
    }
};

struct resumes_ended : alone {
    void run(int /*thread*/) {
        const coroutine ended = two_parts();
        for (int i = 0; i < 3; ++i) ended.handle.resume();
    }
};

// await_suspend() lets another thread resume the coroutine, which suspends itself again, and then returns `Returned`.
template <bool Returned>
struct resumed_meanwhile : alone {
    static coroutine body() {
        const auto resume_elsewhere = [](std::coroutine_handle<> self) {
            std::thread([self] { self.resume(); }).join();
            return Returned;
        };
        co_await suspended_by{resume_elsewhere};
        co_await std::suspend_always{};
    }
    void run(int /*thread*/) {
        const coroutine shared = body();
        shared.handle.resume();
        require(!shared.handle.done());
        shared.handle.resume();
        require(shared.handle.done());
    }
};

// A coroutine goes on by itself: with await_suspend() that returns false, its own handle, or throws.
struct goes_on : alone {
    static coroutine body(int& parts) {
        co_await suspended_by{[](std::coroutine_handle<>) { return false; }};
        ++parts;
        co_await suspended_by{[](std::coroutine_handle<> self) { return self; }};
        ++parts;
        try {
            co_await suspended_by{[](std::coroutine_handle<>) { throw failure(); }};
        } catch (const failure&) {
            ++parts;
        }
        co_await std::suspend_always{};
        ++parts;
    }
    void run(int /*thread*/) {
        int parts = 0;
        const coroutine all = body(parts);
        all.handle.resume();
        require(parts == 3 && !all.handle.done());
        all.handle.resume();
        require(parts == 4 && all.handle.done());
    }
};

// A lost wake-up: who sets the flag may find nobody, and who is suspended may find no flag.
template <bool Looks>
struct handed_over {
    static constexpr auto threads = std::array{"waits", "sets"};
    std::atomic<bool> is_set{false};
    std::atomic<void*> waiting{nullptr};
    bool done = false;
    coroutine waiter = body();

    coroutine body() {
        const auto suspend = [this](std::coroutine_handle<> self) {
            waiting.store(self.address());
            // Takes itself back if the flag has come meanwhile.
            return !Looks || !is_set.load() || waiting.exchange(nullptr) == nullptr;
        };
        if (!is_set.load()) co_await suspended_by{suspend};
        done = true;
    }
    void run(int thread) {
        if (thread == 0) {
            waiter.handle.resume();
        } else {
            is_set.store(true);
            void* const found = waiting.exchange(nullptr);
            if (found != nullptr) std::coroutine_handle<>::from_address(found).resume();
        }
    }
    void finish() const { require(done); }
};

// Made before any execution, which is the state that each begins with.
coroutine numbers_from(int& next) {
    for (;; ++next) co_await std::suspend_always{};
}
int next_number = 0;
const coroutine made_before = numbers_from(next_number);

struct resumed_in_each_execution : alone {
    void run(int /*thread*/) {
        require(!made_before.handle.done());
        made_before.handle.resume();
        made_before.handle.resume();
        require(next_number == 1);
    }
};

// Awaits another one to its end, which resumes it.
struct awaits_another {
    std::coroutine_handle<> other;

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> /*self*/) const noexcept { return other; }
    void await_resume() const noexcept {}
};

struct transfers_to_ended : alone {
    static coroutine body(std::coroutine_handle<> to) { co_await awaits_another{to}; }
    void run(int /*thread*/) {
        const coroutine ended = two_parts();
        const coroutine first = body(ended.handle);
        const coroutine second = body(ended.handle);
        first.handle.resume();
        ended.handle.resume();
        second.handle.resume();
    }
};

// Its frame may be destroyed, though it has never been suspended at the end.
struct ends_by_exception : alone {
    static coroutine body() {
        co_await std::suspend_always{};
        throw failure();
    }
    void run(int /*thread*/) {
        const coroutine fails = body();
        fails.handle.resume();
        bool caught = false;
        try {
            fails.handle.resume();
        } catch (const failure&) {
            caught = true;
        }
        require(caught && fails.handle.done());
    }
};

}  // namespace

ORDEAL_SCENARIO("programs/coroutine_resumed_by_both", wrong<both_resume<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/coroutine_resumed_in_turn", both_resume<true>);
ORDEAL_SCENARIO("programs/coroutine_asked_while_resumed", wrong<asked_by_another<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/coroutine_asked_in_turn", asked_by_another<true>);
ORDEAL_SCENARIO("programs/coroutine_resumes_itself", wrong<resumes_itself, violation_kind::frame_misuse>);
ORDEAL_SCENARIO("programs/coroutine_asks_itself", wrong<asks_itself, violation_kind::frame_misuse>);
ORDEAL_SCENARIO("programs/coroutine_destroys_itself", wrong<destroys_itself, violation_kind::frame_misuse>);
ORDEAL_SCENARIO("programs/coroutine_resumed_after_its_end", wrong<resumes_ended, violation_kind::frame_misuse>);
ORDEAL_SCENARIO("programs/coroutine_goes_on_twice", wrong<resumed_meanwhile<false>, violation_kind::frame_misuse>);
ORDEAL_SCENARIO("programs/coroutine_resumed_in_await_suspend", resumed_meanwhile<true>);
ORDEAL_SCENARIO("programs/coroutine_goes_on_by_itself", goes_on);
ORDEAL_SCENARIO("programs/coroutine_never_resumed", wrong<handed_over<false>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/coroutine_handed_over", handed_over<true>);
ORDEAL_SCENARIO("programs/coroutine_made_before", resumed_in_each_execution);
ORDEAL_SCENARIO("programs/coroutine_transfers_to_an_ended_one",
                wrong<transfers_to_ended, violation_kind::frame_misuse>);
ORDEAL_SCENARIO("programs/coroutine_ends_by_exception", ends_by_exception);

}  // namespace ordeal::model_tests
