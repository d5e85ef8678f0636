// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/watchdog.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/runtime_stack.hpp"
#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <sys/time.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// Ticks of processor time without a step, before the reason is looked for.
constexpr int idle_ticks_until_sampling = 2;
constexpr std::chrono::microseconds first_tick = std::chrono::seconds{1};
// An execution that was found to be endless is run again several times: for its trace, and under stronger models.
constexpr std::chrono::microseconds tick_once_found = std::chrono::milliseconds{100};
constexpr std::chrono::milliseconds looks_every{10};

watchdog::violation_callback report_violation;
watchdog::step_counter counter;
watchdog::heartbeat_callback heartbeat;
std::terminate_handler previous_terminate = nullptr;
unsigned long long last_steps = 0;
std::chrono::microseconds tick_distance = first_tick;
int idle_ticks = 0;                       // before sampling begins
std::array<std::uint64_t, 256> states{};  // of the code on trial at the latest samples
std::size_t states_noted = 0;

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

// Where the compiler has put a trap, of which clang's says why (SanitizerHandler, in CodeGenFunction.h).
const char* words_for_instruction([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
    constexpr std::array<unsigned char, 4> trap_of_clang{0x67, 0x0f, 0xb9, 0x40};  // ud1l reason(%eax), %eax
    constexpr std::array<unsigned char, 2> trap_of_gcc{0x0f, 0x0b};                // ud2
    const auto* const code = reinterpret_cast<const unsigned char*>(context.uc_mcontext.gregs[REG_RIP]);
    if (std::equal(trap_of_gcc.begin(), trap_of_gcc.end(), code)) return "SIGILL: a trap that the compiler has set";
    if (std::equal(trap_of_clang.begin(), trap_of_clang.end(), code)) {
        switch (code[trap_of_clang.size()]) {
            case 1: return "what is said to be unreachable is reached";
            case 11: return "a function that returns a value ends without one";
            case 18: return "an index is outside its array";
            default: return "SIGILL: a trap that the compiler has set";
        }
    }
#endif
    return words_for(SIGILL);
}

// The address has 0, too, where the processor does not say which it was.
bool is_null_dereference(const siginfo_t& about) {
    const bool says_which = about.si_code == SEGV_MAPERR || about.si_code == SEGV_ACCERR;
    return about.si_signo == SIGSEGV && says_which && is_null_page(reinterpret_cast<std::uintptr_t>(about.si_addr));
}

// The code on trial that a signal has met, as if it had called the handler.
calling_function interrupted(const ucontext_t& context) {
    if (!on_trial()) return {};
#if defined(__x86_64__)
    const auto of = [&](int name) { return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[name]); };
    const calling_function found{of(REG_RIP) + 1, of(REG_RBP), of(REG_RSP)};
    // A call of what is no function: its caller is the place.
    if (module_at(found.address) || found.stack == 0) return found;
    return {*reinterpret_cast<const std::uintptr_t*>(found.stack), found.frame, found.stack + sizeof(found.stack)};
#else
    const mcontext_t& state = context.uc_mcontext;
    return {state.pc + 1, state.regs[29], state.sp};
#endif
}

void on_fatal_signal(int signal, siginfo_t* about, void* context) {
    const bool of_an_access = signal == SIGSEGV || signal == SIGBUS;
    const auto address = reinterpret_cast<std::uintptr_t>(about->si_addr);
    if (of_an_access && instrumented().handle_fault(address)) return;
    const auto& where = *static_cast<const ucontext_t*>(context);
    const char* words = signal == SIGILL ? words_for_instruction(where) : words_for(signal);
    if (is_null_dereference(*about)) words = null_dereference;
    report_violation({violation_kind::crash, words, of_an_access ? address : 0, interrupted(where)});
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void tick_every(std::chrono::microseconds distance) {
    const timeval each{distance.count() / 1'000'000, distance.count() % 1'000'000};
    const itimerval timer{each, each};
    setitimer(ITIMER_PROF, &timer, nullptr);
}

// As far as it is readable.
std::uint64_t hash_of_stack(std::uintptr_t begin, std::uint64_t hash) {
    constexpr std::size_t page = 4'096;
    constexpr std::size_t most = std::size_t{16} << 20U;
    static std::array<unsigned char, page> copy;
    for (std::size_t done = 0; done < most;) {
        const std::size_t size = page - (begin + done) % page;
        const iovec to{copy.data(), size};
        const iovec from{reinterpret_cast<void*>(begin + done), size};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != static_cast<ssize_t>(size)) break;
        hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(copy.data()), size, hash);
        done += size;
    }
    return hash;
}

// Hashes the state of the code at the signal: registers, its stack, the heap, globals.
std::uint64_t state_at(const ucontext_t& context) {
    constexpr std::uintptr_t below_the_stack = 128;  // the red zone
    const mcontext_t& state = context.uc_mcontext;
#if defined(__x86_64__)
    std::uint64_t hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(&state.gregs), REG_EFL * sizeof(greg_t), 0);
    if (state.fpregs != nullptr) {
        hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(&state.fpregs->_st), sizeof(state.fpregs->_st), hash);
        hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(&state.fpregs->_xmm), sizeof(state.fpregs->_xmm), hash);
    }
    const auto stack = static_cast<std::uintptr_t>(state.gregs[REG_RSP]);
#else
    std::uint64_t hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(&state.regs), sizeof(state.regs), state.pc);
    const auto stack = static_cast<std::uintptr_t>(state.sp);
#endif
    hash = hash_of_stack(stack - below_the_stack, hash);
    if (runtime_stack_from(stack).size != 0) hash = hash_of_stack(stack_of_runtime_caller(), hash);
    return hash_of_number(instrumented().fingerprint(), hash_of_number(heap::fingerprint(), hash));
}

// A loop that returns to an earlier state is endless; a long computation does not.
bool repeats_a_state(const ucontext_t& context) {
    const std::uint64_t state = state_at(context);
    const bool known = std::ranges::find(states, state) != states.end();
    states[states_noted++ % states.size()] = state;
    return known;
}

void on_tick(int, siginfo_t* /*about*/, void* context) {
    const unsigned long long steps = counter();
    // The engine may take longer for one step, during which an execution must not be ended.
    const bool idle = steps == last_steps && on_trial();
    const bool was_looking = idle_ticks >= idle_ticks_until_sampling;
    idle_ticks = idle ? idle_ticks + 1 : 0;
    last_steps = steps;
    if (!idle || idle_ticks < idle_ticks_until_sampling) {
        if (was_looking) tick_every(tick_distance);
        if (!idle) heartbeat();
        return;
    }
    if (!was_looking) {
        states_noted = 0;
        states = {};
        tick_every(looks_every);
    }
    if (!repeats_a_state(*static_cast<const ucontext_t*>(context))) return heartbeat();
    idle_ticks = 0;
    tick_distance = tick_once_found;
    tick_every(tick_distance);
    report_violation({violation_kind::livelock, "no step of the model: a loop without a scheduling point", 0,
                      interrupted(*static_cast<const ucontext_t*>(context))});
}

[[noreturn]] void on_terminate() {
    const char* message =
        "std::terminate was called, and no exception: by a joinable std::thread that ends, for instance";
    if (const std::exception_ptr current = std::current_exception()) {
        try {
            std::rethrow_exception(current);
        } catch (const std::exception& error) {
            report_violation({violation_kind::uncaught_exception, error.what()});
        } catch (...) {
            message = "an exception not derived from std::exception met noexcept";
        }
    }
    report_violation({violation_kind::uncaught_exception, message});
    std::abort();
}

}  // namespace

watchdog::watchdog(violation_callback on_violation, step_counter steps, heartbeat_callback on_heartbeat) {
    report_violation = std::move(on_violation);
    counter = std::move(steps);
    heartbeat = std::move(on_heartbeat);
    previous_terminate = std::set_terminate(on_terminate);
    tick_distance = first_tick;

    static std::array<char, 1 << 16> stack;
    stack_t alternate{};
    alternate.ss_sp = stack.data();
    alternate.ss_size = stack.size();
    sigaltstack(&alternate, nullptr);

    struct sigaction action{};
    // The handler may leave by switching to another stack, so the signal must not stay blocked.
    action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO;
    action.sa_sigaction = on_fatal_signal;
    for (const int signal : fatal_signals) sigaction(signal, &action, nullptr);
    action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
    action.sa_flags |= SA_SIGINFO;
    action.sa_sigaction = on_tick;
    sigaction(SIGPROF, &action, nullptr);
    watch_this_process();
}

void watchdog::watch_this_process() noexcept {
    if (!counter) return;
    last_steps = 0;
    idle_ticks = 0;
    tick_every(tick_distance);
}

watchdog::~watchdog() {
    const itimerval never{};
    setitimer(ITIMER_PROF, &never, nullptr);
    for (const int signal : fatal_signals) std::signal(signal, SIG_DFL);
    std::signal(SIGPROF, SIG_DFL);
    std::set_terminate(previous_terminate);
    report_violation = nullptr;
    counter = nullptr;
    heartbeat = nullptr;
}

}  // namespace ordeal::detail
