// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signal masks, and the functions that build sets of signals, called by code on trial, which is linked with --wrap.
#include "ordeal/instrumented/process_state/thread_state.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <optional>

namespace ordeal::detail {

namespace {

// A bit for each signal, the first for signal 1.
using mask = std::uint64_t;
constexpr int most_signals = 64;

constinit per_thread<mask> masks;

mask& mask_of(int thread) noexcept { return masks[static_cast<std::size_t>(thread + 1)]; }

// The system silently ignores these two.
constexpr mask never_blocked = mask{1} << (SIGKILL - 1) | mask{1} << (SIGSTOP - 1);

mask mask_in(const sigset_t& set) noexcept {
    mask result = 0;
    for (int signal = 1; signal <= most_signals; ++signal) {
        if (::sigismember(&set, signal) == 1) result |= mask{1} << (signal - 1);
    }
    return result & ~never_blocked;
}

sigset_t set_of(mask signals) noexcept {
    sigset_t result;
    ::sigemptyset(&result);
    for (int signal = 1; signal <= most_signals; ++signal) {
        if ((signals & mask{1} << (signal - 1)) != 0) (void)::sigaddset(&result, signal);
    }
    return result;
}

std::optional<mask> changed(int how, mask before, mask given) noexcept {
    switch (how) {
        case SIG_BLOCK: return before | given;
        case SIG_UNBLOCK: return before & ~given;
        case SIG_SETMASK: return given;
        default: return std::nullopt;
    }
}

// Returns an error number.
int change_mask(const caller_accesses& caller, const instrumented_runtime& runtime, int how, const sigset_t* given,
                sigset_t* before) {
    mask& own = mask_of(runtime.thread());
    const mask old = own;
    if (given != nullptr) {
        caller.reads(given, sizeof(*given));
        const auto changes = changed(how, old, mask_in(*given));
        if (!changes) return EINVAL;
        own = *changes;
        runtime.change_own_state();
    }
    if (before != nullptr) {
        caller.writes(before, sizeof(*before));
        *before = set_of(old);
    }
    return 0;
}

}  // namespace

void signal_masks::begin_execution() noexcept { masks.clear(); }
void signal_masks::save(snapshot& to) { masks.save(to); }
void signal_masks::restore(snapshot& from) { masks.restore(from); }
void signal_masks::inherit(int thread, int creator) noexcept { mask_of(thread) = mask_of(creator); }

std::uint64_t signal_masks::of(int thread) noexcept { return mask_of(thread); }

std::uint64_t signal_masks::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (std::size_t slot = 0; slot < masks.used().size(); ++slot) {
        if (masks.at(slot) != 0) hash = hash_of_number(masks.at(slot), hash + slot);
    }
    return hash;
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __wrap_sigemptyset(sigset_t* set) {
    accesses_of_caller("sigemptyset").writes(set, sizeof(*set));
    if (runtime_on_trial() != nullptr) *set = {};
    return ::sigemptyset(set);
}
int __wrap_sigfillset(sigset_t* set) {
    accesses_of_caller("sigfillset").writes(set, sizeof(*set));
    if (runtime_on_trial() != nullptr) *set = {};
    return ::sigfillset(set);
}
int __wrap_sigaddset(sigset_t* set, int signal) {
    const caller_accesses caller = accesses_of_caller("sigaddset");
    caller.reads(set, sizeof(*set));
    caller.writes(set, sizeof(*set));
    return ::sigaddset(set, signal);
}
int __wrap_sigdelset(sigset_t* set, int signal) {
    const caller_accesses caller = accesses_of_caller("sigdelset");
    caller.reads(set, sizeof(*set));
    caller.writes(set, sizeof(*set));
    return ::sigdelset(set, signal);
}
int __wrap_sigismember(const sigset_t* set, int signal) {
    accesses_of_caller("sigismember").reads(set, sizeof(*set));
    return ::sigismember(set, signal);
}

int __wrap_pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
    const caller_accesses caller = accesses_of_caller("pthread_sigmask");
    const instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return ::pthread_sigmask(how, set, before);
    return change_mask(caller, *runtime, how, set, before);
}
int __wrap_sigprocmask(int how, const sigset_t* set, sigset_t* before) {
    const caller_accesses caller = accesses_of_caller("sigprocmask");
    const instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return ::sigprocmask(how, set, before);
    const int error = change_mask(caller, *runtime, how, set, before);
    if (error == 0) return 0;
    errno = error;
    return -1;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
