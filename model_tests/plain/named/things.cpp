// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong programs, for what a trace calls the things that they are wrong about: name_tests.cpp.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

// The mangled names of long long and double.
std::atomic<int> x;  // NOLINT(misc-use-internal-linkage): a symbol of this name is what it is here for
double d;            // NOLINT(misc-use-internal-linkage)

namespace ordeal::model_tests {

namespace {

enum class phase : unsigned char { idle, filled = 200 };

struct mailbox {
    int content = 0;
    std::atomic<phase> phase_{phase::idle};
};

// The object of the scenario has it.
struct member_of_the_scenario {
    static constexpr auto threads = std::array{"sender", "receiver"};
    mailbox boxes[2];

    void run(int thread) {
        if (thread == 0) {
            boxes[1].content = 42;
            boxes[1].phase_.store(phase::filled, relaxed);
        } else if (boxes[1].phase_.load(acquire) == phase::filled) {
            boxes[1].content = 1;
        }
    }
};

// A function of the program has it.
struct local_of_the_program {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        mailbox box;
        std::thread sender([&] {
            box.content = 42;
            box.phase_.store(phase::filled, relaxed);
        });
        if (box.phase_.load(relaxed) == phase::filled) box.content = 1;
        sender.join();
    }
};

// Another thread has it on its stack.
struct local_of_a_thread {
    static constexpr auto threads = std::array{"owner", "other"};
    std::atomic<int*> shared{nullptr};

    void run(int thread) {
        if (thread == 0) {
            int done = 0;
            shared.store(&done, relaxed);
            while (shared.load(acquire) != nullptr) {
            }
        } else if (int* const seen = shared.load(relaxed)) {
            *seen = 1;
            shared.store(nullptr, release);
        }
    }
};

int hits = 0;

struct global {
    static constexpr auto threads = std::array{"one", "two"};
    void run(int /*thread*/) { ++hits; }
};

struct names_of_types {
    static constexpr auto threads = std::array{"one", "two"};
    void run(int thread) {
        if (thread == 0) d = 1;
        if (x.fetch_add(1, relaxed) == 1) d = 2;
    }
};

struct node {
    node* next_ = nullptr;
    long value_ = 0;
};

// Two of a type are told apart by numbers.
struct nodes {
    static constexpr auto threads = std::array{"one", "two"};
    std::atomic<node*> head_{nullptr};
    std::unique_ptr<node> first_ = std::make_unique<node>();
    std::unique_ptr<node> second_{new node};

    void run(int thread) {
        if (thread == 0) {
            first_->next_ = second_.get();
            second_->value_ = 1;
            head_.store(first_.get(), relaxed);
        } else if (node* const seen = head_.load(relaxed)) {
            seen->next_->value_ = 2;
        }
    }
};

// A coroutine whose awaiter another thread writes to.
struct job {
    struct promise_type {
        job get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle_;
};

struct awaiter_in_a_frame {
    static constexpr auto threads = std::array{"waits", "notifies"};
    struct awaiter {
        awaiter_in_a_frame& of_;
        int result_ = 0;

        bool await_ready() { return false; }
        void await_suspend(std::coroutine_handle<> /*frame*/) {
            of_.waiting_.store(this, relaxed);
            result_ = 1;
        }
        int await_resume() { return result_; }
    };
    std::atomic<awaiter*> waiting_{nullptr};
    std::coroutine_handle<job::promise_type> frame_;

    job consume() { co_await awaiter{*this}; }
    void run(int thread) {
        if (thread == 0) {
            frame_ = consume().handle_;
        } else if (awaiter* const seen = waiting_.load(relaxed)) {
            seen->result_ = 2;
        }
    }
    void finish() { frame_.destroy(); }
};

ORDEAL_SCENARIO("named/member", wrong<member_of_the_scenario, violation_kind::data_race>);
ORDEAL_SCENARIO("named/local", wrong<local_of_the_program, violation_kind::data_race>);
ORDEAL_SCENARIO("named/local_of_a_thread", wrong<local_of_a_thread, violation_kind::data_race>);
ORDEAL_SCENARIO("named/global", wrong<global, violation_kind::data_race>);
ORDEAL_SCENARIO("named/types", wrong<names_of_types, violation_kind::data_race>);
ORDEAL_SCENARIO("named/nodes", wrong<nodes, violation_kind::data_race>);
ORDEAL_SCENARIO("named/awaiter", wrong<awaiter_in_a_frame, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
