// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler plugins' calls in coroutines, and where handles are used: compiler/clang_coroutines.hpp. A suspension
// and a resumption count as writes of the pointer that a frame begins with, a use of a handle as a read of it: the
// compiler itself writes it only when a coroutine begins and when it ends.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/runtime/memory/coroutine_frames.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::detail {

namespace {

constexpr std::size_t header = sizeof(void*);

template <class Check>
void uses_handle(void* frame, const code_location& at, Check check) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || !is_compiled_frame(frame)) return;
    runtime->read_bytes(range_at(frame, header), at);
    check(frame, plain_code_site(at));
}

void continues(void* frame, std::uint64_t suspension, const code_location& at) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    runtime->write_bytes(range_at(frame, header), at);
    compiled_frame_continues(frame, suspension, plain_code_site(at));
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

void __ordeal_coroutine_begins(void* frame) {
    if (runtime_on_trial() != nullptr) compiled_frame_begins(frame);
}

// Returns the number of this suspension.
std::uint64_t __ordeal_coroutine_suspends(void* frame) {
    if (runtime_on_trial() == nullptr) return 0;
    writes(frame, header, "suspend");
    return compiled_frame_suspended(frame);
}

void __ordeal_coroutine_resumed(void* frame) {
    if (runtime_on_trial() == nullptr) return;
    writes(frame, header, "resume");
    compiled_frame_resumed(frame, plain_code_site(code_location_here("resume")));
}

// After an await_suspend() that has returned false.
void __ordeal_coroutine_continues(void* frame, std::uint64_t suspension) {
    continues(frame, suspension, code_location_here("resume"));
}

// Of g++: after that, or where the coroutine was resumed or not suspended at all, with 0. Returns 0.
std::uint64_t __ordeal_coroutine_goes_on(void* frame, std::uint64_t suspension) {
    if (suspension != 0) continues(frame, suspension, code_location_here("resume"));
    return 0;
}

void __ordeal_handle_resumes(void* frame) { uses_handle(frame, code_location_here("resume"), require_resumable_frame); }
void __ordeal_handle_destroys(void* frame) {
    uses_handle(frame, code_location_here("destroy"), destroying_compiled_frame);
}
void __ordeal_handle_asks(void* frame) { uses_handle(frame, code_location_here("done"), require_suspended_frame); }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
