// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks of signals: each thread has its own, which begins as that of its creator; and sets of signals are memory as any
// other. Handlers are the process's, and stacks for them each thread's.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <thread>

namespace ordeal::model_tests {

namespace {

[[nodiscard]] bool blocks(int signal) {
    sigset_t now;
    require(::pthread_sigmask(SIG_BLOCK, nullptr, &now) == 0);
    return ::sigismember(&now, signal) == 1;
}

// As libraries have it around the creation of a thread.
struct masks_of_threads {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        require(!blocks(SIGINT), "an execution begins with none");
        sigset_t all;
        sigset_t before;
        require(::sigfillset(&all) == 0 && ::pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
        require(blocks(SIGINT) && !blocks(SIGKILL));
        std::thread created([] {
            require(blocks(SIGINT), "the creator's");
            sigset_t one;
            require(::sigemptyset(&one) == 0 && ::sigaddset(&one, SIGINT) == 0);
            require(::pthread_sigmask(SIG_UNBLOCK, &one, nullptr) == 0 && !blocks(SIGINT) && blocks(SIGTERM));
        });
        created.join();
        require(blocks(SIGINT), "the other thread's is its own");
        require(::sigdelset(&all, SIGTERM) == 0 && ::sigprocmask(SIG_SETMASK, &all, nullptr) == 0 && !blocks(SIGTERM));
        require(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0 && !blocks(SIGINT));
        require(::pthread_sigmask(-1, &all, nullptr) == EINVAL);
    }
};

// What one thread blocks is no business of another, and of no other execution either.
struct mask_in_each_execution {
    static constexpr auto threads = std::array{"blocks", "looks"};
    std::atomic<int> ticks{0};

    void run(int thread) {
        ticks.fetch_add(1);
        require(!blocks(SIGUSR1));
        if (thread != 0) return;
        sigset_t one;
        require(::sigemptyset(&one) == 0 && ::sigaddset(&one, SIGUSR1) == 0);
        require(::pthread_sigmask(SIG_BLOCK, &one, nullptr) == 0);
        ticks.fetch_add(1);
        require(blocks(SIGUSR1));
    }
};

struct set_of_both {
    static constexpr auto threads = std::array{"fills", "asks"};
    sigset_t set{};

    void run(int thread) {
        if (thread == 0) require(::sigfillset(&set) == 0);
        if (thread == 1) require(::sigismember(&set, SIGINT) >= 0);
    }
};

[[nodiscard]] sighandler_t handler_of(int signal) {
    struct sigaction now{};
    require(::sigaction(signal, nullptr, &now) == 0);
    return now.sa_handler;
}

// As test frameworks have them around each test.
struct handlers_and_stacks {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        require(handler_of(SIGSEGV) == SIG_DFL, "an execution begins with none, whatever the harness has");
        struct sigaction mine{};
        mine.sa_handler = [](int) { require(false, "nobody calls it"); };
        struct sigaction before{};
        require(::sigaction(SIGSEGV, &mine, &before) == 0 && before.sa_handler == SIG_DFL);
        std::array<char, 1 << 14> room{};
        stack_t stack{};
        stack.ss_sp = room.data();
        stack.ss_size = room.size();
        stack_t old{};
        require(::sigaltstack(&stack, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0);
        std::thread created([&] {
            require(handler_of(SIGSEGV) == mine.sa_handler, "the process's");
            stack_t none{};
            require(::sigaltstack(nullptr, &none) == 0 && (none.ss_flags & SS_DISABLE) != 0, "the thread's own");
        });
        created.join();
        require(::sigaltstack(&old, &stack) == 0 && stack.ss_sp == room.data());
        require(std::signal(SIGSEGV, SIG_DFL) == mine.sa_handler && handler_of(SIGSEGV) == SIG_DFL);
        require(std::signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
        require(::sigaction(SIGKILL, nullptr, &before) == 0 && ::sigaction(SIGSTOP, &mine, nullptr) != 0);
    }
};

// Two threads may install theirs in any order: one of them replaces the other's.
struct handlers_of_both {
    static constexpr auto threads = std::array{"ignores", "handles"};
    std::array<sighandler_t, 2> before{};

    static void handle(int /*signal*/) {}
    void run(int thread) {
        before[static_cast<std::size_t>(thread)] = std::signal(SIGUSR1, thread == 0 ? SIG_IGN : &handle);
    }
    void finish() {
        require(before[0] == SIG_DFL ? before[1] == SIG_IGN : before[0] == &handle && before[1] == SIG_DFL);
    }
};
struct handlers_in_order : handlers_of_both {
    void finish() { require(before[0] == SIG_DFL); }
};

ORDEAL_SCENARIO("programs/signal_handlers_and_stacks", met<handlers_and_stacks>);
ORDEAL_SCENARIO("programs/signal_handlers_of_both", handlers_of_both);
ORDEAL_SCENARIO("programs/signal_handlers_in_order", wrong<handlers_in_order, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/signal_masks_of_threads", met<masks_of_threads>);
ORDEAL_SCENARIO("programs/signal_masks_in_each_execution", mask_in_each_execution);
ORDEAL_SCENARIO("programs/signal_set_of_both", wrong<set_of_both, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
