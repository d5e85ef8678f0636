// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include <cstdint>

namespace ordeal::detail {

// Atomic operations of code on trial, through the runtime. Objects of 1, 2, 4, 8 or 16 bytes, whose values are words as
// in word.hpp; orders as compilers pass them.

[[nodiscard]] std::uint64_t load_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where,
                                          int order_code);
void store_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where, int order_code,
                    std::uint64_t value);
/// Returns the value before.
std::uint64_t modify_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where,
                              int order_code, modification how, std::uint64_t operand);
/// Returns whether it stored; otherwise `expected` becomes the value read.
[[nodiscard]] bool compare_exchange_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where,
                                             int success_code, int failure_code, bool weak, std::uint64_t& expected,
                                             std::uint64_t desired);
void fence_on_trial(instrumented_runtime& runtime, const call_origin& from, int order_code);

}  // namespace ordeal::detail
