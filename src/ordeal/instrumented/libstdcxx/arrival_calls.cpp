// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrivals at the standard library's latches and barriers: our <latch> and <barrier> call these.
#include "ordeal/instrumented/caller/caller_accesses.hpp"

namespace ordeal::detail {

namespace {

coordination_object meeting(const volatile int* where, long expected, bool has_phases, const code_location& at) {
    return {range_at(where, sizeof(*where)), static_cast<std::uint64_t>(expected), has_phases, plain_code_site(at)};
}

}  // namespace

// Names reserved for the implementation.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __ordeal_arrive(const volatile int* where, long expected, long count, int has_phases) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || !runtime->arrivals_are_events()) return 0;
    const code_location at = code_location_here(has_phases != 0 ? "arrive" : "count down");
    runtime->arrive(at, meeting(where, expected, has_phases != 0, at), static_cast<std::uint64_t>(count));
    return 1;
}

int __ordeal_await_arrivals(const volatile int* where, long expected, int has_phases) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || !runtime->arrivals_are_events()) return 0;
    const code_location at = code_location_here("wait");
    runtime->await_arrivals(at, meeting(where, expected, has_phases != 0, at));
    return 1;
}

void __ordeal_order_arrivals() {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->order_arrivals();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
