// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/interrupt.hpp"

#include <ctime>

namespace ordeal::detail {

namespace {

volatile std::sig_atomic_t received = 0;
timespec first_time{};

// A wrapper such as timeout(1) signals the process and then its group: that is one request, not two.
bool is_echo() {
    constexpr long apart = 300;  // milliseconds
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - first_time.tv_sec) * 1000 + (now.tv_nsec - first_time.tv_nsec) / 1'000'000 < apart;
}

void on_signal(int signal) {
    if (received == 0) {
        clock_gettime(CLOCK_MONOTONIC, &first_time);
        received = 1;
    } else if (!is_echo()) {
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
}

}  // namespace

interrupt_watch::interrupt_watch() noexcept {
    received = 0;
    struct sigaction action{};
    action.sa_handler = &on_signal;
    sigemptyset(&action.sa_mask);  // and no SA_RESTART: a wait for child processes ends early
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
}

interrupt_watch::~interrupt_watch() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool interrupt_watch::interrupted() const noexcept { return received != 0; }

}  // namespace ordeal::detail
