// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/watchdog.hpp"

#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"

#include <sys/time.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <utility>

namespace ordeal {

namespace {

constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int patience = 2;  // seconds of processor time without a step

watchdog::trouble_callback trouble;
watchdog::step_counter counter;
watchdog::beat_callback beat;
std::terminate_handler previous_terminate = nullptr;
unsigned long long last_steps = 0;
int idle_seconds = 0;

const char* words_for(int signal) {
    switch (signal) {
        case SIGSEGV: return "SIGSEGV: an invalid address";
        case SIGBUS: return "SIGBUS: an invalid address";
        case SIGFPE: return "SIGFPE: an invalid arithmetic operation";
        case SIGILL: return "SIGILL: an invalid instruction";
        case SIGABRT: return "SIGABRT: abort() or a failed assert";
        default: return "a fatal signal";
    }
}

void on_fatal_signal(int signal, siginfo_t* about, void* /*context*/) {
    const bool of_an_access = signal == SIGSEGV || signal == SIGBUS;
    if (of_an_access && instrumented().handle_fault(reinterpret_cast<std::uintptr_t>(about->si_addr))) return;
    trouble(violation_kind::crash, words_for(signal),
            of_an_access ? reinterpret_cast<std::uintptr_t>(about->si_addr) : 0);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void on_tick(int) {
    const unsigned long long steps = counter();
    // The engine may think for longer about one step, and an execution must not end in the middle of that.
    idle_seconds = steps == last_steps && on_trial() ? idle_seconds + 1 : 0;
    last_steps = steps;
    if (idle_seconds == 0) beat();
    if (idle_seconds < patience) return;
    idle_seconds = 0;
    trouble(violation_kind::livelock, "no step of the model for two seconds: a loop without a scheduling point", 0);
}

[[noreturn]] void on_terminate() {
    const char* message = "std::terminate was called";
    if (const std::exception_ptr current = std::current_exception()) {
        try {
            std::rethrow_exception(current);
        } catch (const std::exception& error) {
            trouble(violation_kind::uncaught_exception, error.what(), 0);
        } catch (...) {
            message = "an exception not derived from std::exception met noexcept";
        }
    }
    trouble(violation_kind::uncaught_exception, message, 0);
    std::abort();
}

}  // namespace

watchdog::watchdog(trouble_callback on_trouble, step_counter steps, beat_callback on_beat) {
    trouble = std::move(on_trouble);
    counter = std::move(steps);
    beat = std::move(on_beat);
    previous_terminate = std::set_terminate(on_terminate);

    static std::array<char, 1 << 16> stack;
    stack_t alternate{};
    alternate.ss_sp = stack.data();
    alternate.ss_size = stack.size();
    sigaltstack(&alternate, nullptr);

    struct sigaction action{};
    // The handler may leave by a jump to another stack, so the signal must not stay blocked.
    action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO;
    action.sa_sigaction = on_fatal_signal;
    for (const int signal : fatal_signals) sigaction(signal, &action, nullptr);
    action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
    action.sa_handler = on_tick;
    sigaction(SIGPROF, &action, nullptr);
    watch_this_process();
}

void watchdog::watch_this_process() noexcept {
    if (!counter) return;
    last_steps = 0;
    idle_seconds = 0;
    const itimerval every_second{{1, 0}, {1, 0}};
    setitimer(ITIMER_PROF, &every_second, nullptr);
}

watchdog::~watchdog() {
    const itimerval never{};
    setitimer(ITIMER_PROF, &never, nullptr);
    for (const int signal : fatal_signals) std::signal(signal, SIG_DFL);
    std::signal(SIGPROF, SIG_DFL);
    std::set_terminate(previous_terminate);
    trouble = nullptr;
    counter = nullptr;
    beat = nullptr;
}

}  // namespace ordeal
