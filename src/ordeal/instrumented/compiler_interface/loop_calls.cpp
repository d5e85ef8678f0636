// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler plugin's call at the header of a loop in which a thread may wait for others:
// compiler/clang_loop_headers.hpp.
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// `state`: whether the loop begins, the live values, then the address and the size of each live variable. Each loop has
// such words of its own.
void __ordeal_loop_header(bool changes_memory, const void* frame, const std::uint64_t* state, std::uint64_t values,
                          std::uint64_t variables) {
    using namespace ordeal::detail;
    using ordeal::memory_range;
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    static_assert(sizeof(memory_range) == 2 * sizeof(std::uint64_t));
    const std::uint64_t* const first = state + 1;
    const loop_header header{reinterpret_cast<std::uintptr_t>(state),
                             reinterpret_cast<std::uintptr_t>(frame),
                             std::span(first, values),
                             std::span(reinterpret_cast<const memory_range*>(first + values), variables),
                             state[0] != 0,
                             changes_memory};
    runtime->begin_iteration(header, code_location_here("begin iteration"));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
