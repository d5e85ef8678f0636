// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/libc/exit_calls.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/process_state/thread_state.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
int __cxa_atexit(void (*function)(void*), void* argument, void* library) noexcept;
int __cxa_thread_atexit(void (*function)(void*), void* argument, void* library) noexcept;
void ordeal_streams_end(void*) asm("_ZNSt8ios_base4InitD1Ev");
}
// NOLINTEND(bugprone-reserved-identifier)

namespace ordeal::detail {

namespace {

struct exit_call {
    void (*function)(void*);
    void* argument;
};

using call_list = std::vector<exit_call>;

struct all_lists {
    call_list of_constructors;  // registered before main; the same in each execution
    call_list of_program;
    per_thread<call_list> of_threads;
};

constinit all_lists lists;

call_list& own_list(const instrumented_runtime& runtime) noexcept { return lists.of_threads[thread_slot(runtime)]; }

void add(call_list& to, const exit_call& call) {
    const harness_scope harness;
    to.push_back(call);
}

// The functions called may add to the list.
void run(call_list& list) {
    while (!list.empty()) {
        const exit_call next = list.back();
        list.pop_back();
        next.function(next.argument);
    }
}

// Globals constructed before main are restored after each execution. The object that <iostream> has in every source
// file is not on trial: it counts the users of the streams in libstdc++.
void note_destructor(const exit_call& call) {
    if (call.function != &ordeal_streams_end) add(lists.of_constructors, call);
}

std::uint64_t hash_of(const call_list& list, std::uint64_t hash) noexcept {
    return hash_of_bytes(reinterpret_cast<std::uintptr_t>(list.data()), list.size() * sizeof(exit_call), hash);
}

// No local variable may own anything, as the call does not return.
void fail_assertion(instrumented_runtime& runtime, const code_location& at, const char* expression) {
    static std::array<char, 512> words;
    std::snprintf(words.data(), words.size(), "assertion `%s' failed", expression);
    runtime.fail(violation_kind::failed_requirement, words.data(), plain_code_site(at));
}

// In a program of existing tests.
constinit bool exit_fails_tests = false;

// exit(EXIT_FAILURE) is how a test without a framework says that it failed.
void fail_exit(instrumented_runtime& runtime, const code_location& at, int status) {
    static std::array<char, 64> words;
    std::snprintf(words.data(), words.size(), "the test failed: exit(%d) was called", status);
    runtime.fail(violation_kind::failed_requirement, words.data(), plain_code_site(at));
}

void fail_abort(instrumented_runtime& runtime, const code_location& at) {
    runtime.fail(violation_kind::crash, "abort was called", plain_code_site(at));
}

}  // namespace

void exit_calls::begin_execution() noexcept {
    lists.of_program.clear();
    lists.of_threads.clear();
}

void exit_calls::save(snapshot& to) {
    to.put(lists.of_program);
    lists.of_threads.save(to);
}

void exit_calls::restore(snapshot& from) {
    from.take(lists.of_program);
    lists.of_threads.restore(from);
}

void exit_calls::let_exit_fail_tests() noexcept { exit_fails_tests = true; }

void exit_calls::forget_constructors() noexcept { lists.of_constructors.clear(); }

void exit_calls::finish_thread(instrumented_runtime& runtime) {
    run(own_list(runtime));
    thread_keys::destroy_values(runtime);
}

void exit_calls::finish_execution(instrumented_runtime& runtime) {
    finish_thread(runtime);
    run(lists.of_program);
    for (std::size_t left = lists.of_constructors.size(); left-- > 0;) {
        const exit_call next = lists.of_constructors[left];
        next.function(next.argument);
        run(lists.of_program);
    }
}

std::uint64_t exit_calls::fingerprint() noexcept {
    std::uint64_t hash = hash_of(lists.of_program, 0);
    for (std::size_t slot = 0; slot < lists.of_threads.used().size(); ++slot) {
        const call_list& each = lists.of_threads.at(slot);
        if (!each.empty()) hash = hash_of(each, hash + slot);
    }
    return hash;
}

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* library) {
    if (runtime_on_trial() == nullptr) {
        note_destructor({function, argument});
        return __cxa_atexit(function, argument, library);
    }
    add(lists.of_program, {function, argument});
    return 0;
}
int __wrap___cxa_thread_atexit(void (*function)(void*), void* argument, void* library) {
    const instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return __cxa_thread_atexit(function, argument, library);
    add(own_list(*runtime), {function, argument});
    return 0;
}
int __wrap___cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* library) {
    return __wrap___cxa_thread_atexit(function, argument, library);
}

void __wrap___assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) __assert_fail(expression, file, line, function);
    fail_assertion(*runtime, code_location_here("assert"), expression);
}
void __wrap_abort() {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) std::abort();
    fail_abort(*runtime, code_location_here("abort"));
}

void __wrap_exit(int status) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr && exit_fails_tests && status != 0) fail_exit(*runtime, code_location_here("exit"), status);
    refused_on_trial("the function exit");
    std::exit(status);
}
void __wrap__exit(int status) {
    refused_on_trial("the function _exit");
    std::_Exit(status);
}
void __wrap__Exit(int status) {
    refused_on_trial("the function _Exit");
    std::_Exit(status);
}
void __wrap_quick_exit(int status) {
    refused_on_trial("the function quick_exit");
    std::quick_exit(status);
}
// Only quick_exit would call it.
int __wrap_at_quick_exit(void (*function)()) {
    return runtime_on_trial() == nullptr ? std::at_quick_exit(function) : 0;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace ordeal::detail
