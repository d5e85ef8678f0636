// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace ordeal::detail {

/// Library functions called by code on trial. The effects of those listed in library_functions.cpp are accounted for.
/// The memory accesses of others are unchecked, and a verdict that depends on such a call names it as a limit.
namespace uninstrumented_calls {

/// Before the first execution: redirects every call of such a function from a trial library through its accounting.
void begin_search();

/// Limits for calls that cannot be intercepted: on processors for which interception is not implemented.
[[nodiscard]] std::vector<std::string> unnoticed();

}  // namespace uninstrumented_calls

}  // namespace ordeal::detail
