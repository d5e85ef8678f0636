// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signal handlers and their stacks, called by code on trial, which is linked with --wrap. No signal is delivered to it:
// what would send one is refused, and a crash ends the execution as a violation. So a handler never runs, and the
// harness keeps its own.
#include "ordeal/instrumented/process_state/thread_state.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/instrumented/process_state/library_state.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <vector>

namespace ordeal::detail {

namespace {

struct installed_handler {
    int signal;
    struct sigaction action;
};

// Of the current execution; a signal that is not listed has its default action.
constinit std::vector<installed_handler> installed;

struct stack_of_handlers {
    void* address = nullptr;
    std::size_t size = 0;  // 0: none
};
constinit per_thread<stack_of_handlers> stacks;

stack_of_handlers& stack_of(int thread) noexcept { return stacks[static_cast<std::size_t>(thread + 1)]; }

struct sigaction action_of(int signal) noexcept {
    const auto found = std::ranges::find(installed, signal, &installed_handler::signal);
    constexpr struct sigaction by_default{};
    return found == installed.end() ? by_default : found->action;
}

void set_action(int signal, const struct sigaction& action) {
    const auto found = std::ranges::find(installed, signal, &installed_handler::signal);
    if (found != installed.end()) {
        found->action = action;
        return;
    }
    const harness_scope harness;
    installed.push_back({signal, action});
}

// Returns an error number.
int change_action(instrumented_runtime& runtime, int signal, const struct sigaction* given, struct sigaction* before,
                  const code_location& at) {
    const bool fixed = signal == SIGKILL || signal == SIGSTOP;
    if (signal < 1 || signal >= NSIG || (fixed && given != nullptr)) return EINVAL;
    const caller_accesses caller(at);
    serialise_access_to(runtime, library_state::signal_handlers, at);
    const struct sigaction old = action_of(signal);
    if (given != nullptr) {
        caller.reads(given, sizeof(*given));
        set_action(signal, *given);
    }
    if (before != nullptr) {
        caller.writes(before, sizeof(*before));
        *before = old;
    }
    return 0;
}

// Returns an error number.
int change_stack(const instrumented_runtime& runtime, const stack_t* given, stack_t* before, const code_location& at) {
    const caller_accesses caller(at);
    stack_of_handlers& own = stack_of(runtime.thread());
    const stack_of_handlers old = own;
    if (given != nullptr) {
        caller.reads(given, sizeof(*given));
        const bool none = (given->ss_flags & SS_DISABLE) != 0;
        // MINSIGSTKSZ is four times as much as the system needs, where registers are many (AMX).
        if (!none && given->ss_size < static_cast<std::size_t>(::sysconf(_SC_MINSIGSTKSZ))) return ENOMEM;
        own = none ? stack_of_handlers{} : stack_of_handlers{given->ss_sp, given->ss_size};
        runtime.change_own_state();
    }
    if (before != nullptr) {
        caller.writes(before, sizeof(*before));
        *before = {};
        before->ss_sp = old.address;
        before->ss_size = old.size;
        before->ss_flags = old.size == 0 ? SS_DISABLE : 0;
    }
    return 0;
}

}  // namespace

void signal_handlers::begin_execution() noexcept {
    installed.clear();
    stacks.clear();
}
void signal_handlers::begin_thread(int thread) noexcept { stacks.clear(static_cast<std::size_t>(thread) + 1); }

void signal_handlers::save(snapshot& to) {
    to.put(installed);
    stacks.save(to);
}
void signal_handlers::restore(snapshot& from) {
    from.take(installed);
    stacks.restore(from);
}

std::uint64_t signal_handlers::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (const installed_handler& each : installed) {
        hash = hash_of_number(static_cast<std::uint64_t>(each.signal), hash);
        hash = hash_of_number(reinterpret_cast<std::uintptr_t>(each.action.sa_sigaction), hash);
        hash = hash_of_number(static_cast<std::uint64_t>(each.action.sa_flags), hash);
        hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(&each.action.sa_mask), sizeof(sigset_t), hash);
    }
    for (std::size_t slot = 0; slot < stacks.used().size(); ++slot) {
        const stack_of_handlers& each = stacks.at(slot);
        if (each.size != 0)
            hash = hash_of_number(reinterpret_cast<std::uintptr_t>(each.address), hash + slot + each.size);
    }
    return hash;
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __wrap_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return ::sigaction(signal, action, before);
    const int error = change_action(*runtime, signal, action, before, code_location_here("sigaction"));
    return error == 0 ? 0 : fails_with(error);
}

sighandler_t __wrap_signal(int signal, sighandler_t handler) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return ::signal(signal, handler);
    const code_location at = code_location_here("signal");
    if (signal < 1 || signal >= NSIG || signal == SIGKILL || signal == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    serialise_access_to(*runtime, library_state::signal_handlers, at);
    const sighandler_t before = action_of(signal).sa_handler;
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    set_action(signal, action);
    return before;
}

int __wrap_sigaltstack(const stack_t* stack, stack_t* before) {
    const instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return ::sigaltstack(stack, before);
    const int error = change_stack(*runtime, stack, before, code_location_here("sigaltstack"));
    return error == 0 ? 0 : fails_with(error);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
