// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks of signals: each thread has its own, which begins as that of its creator; and sets of signals are memory as any other.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
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

ORDEAL_SCENARIO("programs/signal_masks_of_threads", met<masks_of_threads>);
ORDEAL_SCENARIO("programs/signal_masks_in_each_execution", mask_in_each_execution);
ORDEAL_SCENARIO("programs/signal_set_of_both", wrong<set_of_both, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
