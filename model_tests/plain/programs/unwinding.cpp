// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions on several threads at once, each at another place of its way.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <coroutine>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

namespace {

// Destructors take locks on the way out.
struct destructor_takes_a_lock {
    static constexpr auto threads = std::array{"throws", "throws"};
    struct leaving {
        destructor_takes_a_lock& shared;
        ~leaving() {
            const std::lock_guard lock(shared.mutex);
            shared.unwinding += std::uncaught_exceptions();
        }
    };
    std::mutex mutex;
    int unwinding = 0;

    void run(int thread) {
        try {
            const leaving on_the_way{*this};
            throw std::runtime_error(std::to_string(thread));
        } catch (const std::exception& error) {
            const std::lock_guard lock(mutex);
            require(error.what() == std::to_string(thread));
            require(std::uncaught_exceptions() == 0);
        }
    }
    void finish() const { require(unwinding == 2); }
};

struct exceptions_are_nested {
    static constexpr auto threads = std::array{"throws", "throws"};
    std::atomic<int> steps{0};

    void run(int thread) {
        const std::string name = std::to_string(thread);
        try {
            fail(name);
        } catch (const std::runtime_error& outer) {
            require(outer.what() == "outer " + name);
            try {
                std::rethrow_if_nested(outer);
                require(false, "there is one within");
            } catch (const std::logic_error& inner) {
                ++steps;
                require(inner.what() == "inner " + name);
            }
        }
    }
    void finish() const { require(steps == 4); }

private:
    void fail(const std::string& name) {
        try {
            throw std::logic_error("inner " + name);
        } catch (...) {
            ++steps;
            std::throw_with_nested(std::runtime_error("outer " + name));
        }
    }
};

struct thrown_again {
    static constexpr auto threads = std::array{"throws", "throws"};
    std::atomic<int> steps{0};

    void run(int thread) {
        try {
            try {
                throw thread;
            } catch (int& value) {
                ++steps;
                value += 10;
                throw;
            }
        } catch (int value) {
            ++steps;
            require(value == 10 + thread);
        }
    }
};

// What was made is undone when the rest cannot be.
struct constructor_fails {
    static constexpr auto threads = std::array{"makes", "makes"};
    struct parts {
        std::vector<int> first{1, 2, 3};
        std::vector<int> second{4, 5, 6};
        explicit parts(std::atomic<int>& made) {
            if (++made == 2) throw std::runtime_error("one is enough");
        }
    };
    std::atomic<int> made{0};
    std::atomic<int> kept{0};

    void run(int /*thread*/) {
        try {
            const parts all(made);
            ++kept;
        } catch (const std::runtime_error&) {
        }
    }
    void finish() const { require(kept == 1); }
};

// Copies of one pointer to an exception are rethrown while snapshots are made.
struct rethrown_by_two {
    static constexpr auto threads = std::array{"first", "second"};
    std::exception_ptr error = std::make_exception_ptr(std::runtime_error("for both"));
    std::atomic<int> count{0};
    std::atomic<int> caught{0};

    void run(int /*thread*/) {
        for (int i = 0; i < 3; ++i) count.fetch_add(1);
        try {
            std::rethrow_exception(error);
        } catch (const std::runtime_error& each) {
            caught.fetch_add(each.what() == std::string("for both") ? 1 : 0);
        }
        for (int i = 0; i < 2; ++i) count.fetch_add(1);
    }
    void finish() const { require(count == 10 && caught == 2); }
};

struct error {
    int code;
};

// A handler's exception is destroyed at the end of the last handler that is active for it ([except.throw]/4).
struct used_after_its_handler {
    static constexpr auto threads = std::array{"throws", "other"};
    int got = 0;

    void run(int thread) {
        meet();
        if (thread != 0) return;
        const error* kept = nullptr;
        try {
            throw error{3};
        } catch (const error& each) {
            kept = &each;
        }
        got = kept->code;
    }
};

// Each has a reference of its own, and lets it go.
template <bool After>
struct used_when_let_go {
    static constexpr auto threads = std::array{"one", "other"};
    std::array<std::exception_ptr, 2> mine = [] {
        const auto made = std::make_exception_ptr(error{3});
        return std::array{made, made};
    }();

    void run(int thread) {
        const error* kept = nullptr;
        try {
            std::rethrow_exception(mine[static_cast<std::size_t>(thread)]);
        } catch (const error& each) {
            kept = &each;
        }
        if (!After) require(kept->code == 3);
        mine[static_cast<std::size_t>(thread)] = nullptr;
        if (After) require(kept->code == 3);
    }
};

// Ends while the references to it are locked, with what was used in it.
struct has_an_atomic {
    static constexpr auto threads = std::array{"lets go", "other"};
    struct counted {
        std::atomic<int> uses{0};
        counted() = default;
        counted(const counted& other) : uses(other.uses.load()) {}
    };
    std::exception_ptr kept = std::make_exception_ptr(counted{});

    void run(int /*thread*/) {
        try {
            std::rethrow_exception(kept);
        } catch (counted& each) {
            ++each.uses;
        }
    }
    void finish() { kept = nullptr; }
};

// A coroutine that yields values and ends with an exception, which comes out where it is resumed.
class sequence {
public:
    struct promise_type {
        int value = 0;
        std::exception_ptr error;
        sequence get_return_object() { return sequence(std::coroutine_handle<promise_type>::from_promise(*this)); }
        [[nodiscard]] std::suspend_always initial_suspend() const noexcept { return {}; }
        [[nodiscard]] std::suspend_always final_suspend() const noexcept { return {}; }
        std::suspend_always yield_value(int next) noexcept {
            value = next;
            return {};
        }
        void return_void() const noexcept {}
        void unhandled_exception() { error = std::current_exception(); }
    };

    explicit sequence(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    sequence(const sequence&) = delete;
    sequence& operator=(const sequence&) = delete;
    ~sequence() { frame_.destroy(); }

    [[nodiscard]] int next() {
        frame_.resume();
        if (frame_.promise().error) std::rethrow_exception(frame_.promise().error);
        return frame_.promise().value;
    }

private:
    std::coroutine_handle<promise_type> frame_;
};

struct sequence_ends_with_an_exception {
    static constexpr auto threads = std::array{"takes", "takes"};
    std::atomic<int> taken{0};

    void run(int thread) {
        sequence numbers = count_from(thread);
        require(numbers.next() == thread);
        require(numbers.next() == thread + 1);
        try {
            (void)numbers.next();
            require(false, "it has ended");
        } catch (const std::out_of_range&) {
        }
    }
    void finish() const { require(taken == 4); }

private:
    sequence count_from(int first) {
        for (int i = 0; i < 2; ++i) {
            ++taken;
            co_yield first + i;
        }
        throw std::out_of_range("no more");
    }
};

// A number is read with errno, which each thread has for itself.
struct numbers_from_text {
    static constexpr auto threads = std::array{"reads", "reads"};
    std::atomic<int> failed{0};

    void run(int thread) {
        require(std::stoi(std::to_string(thread)) == thread);
        errno = thread + 1;
        ++failed;
        require(errno == thread + 1);
        try {
            (void)std::stoi("99999999999999999999");
            require(false, "it is too large");
        } catch (const std::out_of_range&) {
            ++failed;
        }
    }
};

// The notification comes when all of the thread is over.
struct notified_at_thread_exit {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex mutex;
        std::condition_variable ended;
        bool done = false;
        std::thread worker([&] {
            std::unique_lock lock(mutex);
            done = true;
            std::notify_all_at_thread_exit(ended, std::move(lock));
        });
        {
            std::unique_lock lock(mutex);
            ended.wait(lock, [&] { return done; });
        }
        worker.join();
    }
};

ORDEAL_SCENARIO("programs/rethrown_by_two", rethrown_by_two);
ORDEAL_SCENARIO("programs/exception_used_after_its_handler",
                wrong<used_after_its_handler, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/exception_used_when_let_go",
                wrong<used_when_let_go<true>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/exception_used_before_it_is_let_go", used_when_let_go<false>);
ORDEAL_SCENARIO("programs/exception_has_an_atomic", has_an_atomic);
ORDEAL_SCENARIO("programs/destructor_takes_a_lock", destructor_takes_a_lock);
ORDEAL_SCENARIO("programs/exceptions_are_nested", exceptions_are_nested);
ORDEAL_SCENARIO("programs/thrown_again", thrown_again);
ORDEAL_SCENARIO("programs/constructor_fails", constructor_fails);
ORDEAL_SCENARIO("programs/sequence_ends_with_an_exception", sequence_ends_with_an_exception);
ORDEAL_SCENARIO("programs/numbers_from_text", numbers_from_text);
ORDEAL_SCENARIO("programs/notified_at_thread_exit", notified_at_thread_exit);

}  // namespace

}  // namespace ordeal::model_tests
