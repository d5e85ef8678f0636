// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/symbols/debug_info.hpp"

#include <cstdint>

namespace ordeal::detail {

/// A function on the call stack, as seen by its callee.
struct calling_function {
    std::uintptr_t address = 0;  ///< where it resumes; 0: there is none
    std::uintptr_t frame = 0;    ///< its frame pointer
    std::uintptr_t stack = 0;    ///< its stack pointer there; 0: unknown
};

/// The function that called the runtime.
[[nodiscard]] inline calling_function caller_at(const code_location& at) noexcept {
    if (at.frame == 0) return {at.address, 0, 0};
    const auto* const record = reinterpret_cast<const std::uintptr_t*>(at.frame);
    if (record[1] != at.address) return {at.address, 0, 0};  // the call has returned
#if defined(__x86_64__)
    return {at.address, record[0], at.frame + 2 * sizeof(std::uintptr_t)};
#else
    return {at.address, record[0], 0};
#endif
}

/// The caller of `function`, by the rule for its address. Takes about three loads, so that it can be done for each of
/// millions of operations.
[[nodiscard]] inline calling_function caller_of(const calling_function& function, const unwind_rule& rule) noexcept {
    using base = unwind_rule::base;
    constexpr std::uintptr_t largest_frame = std::uintptr_t{64} << 20;
    const auto at = [](std::uintptr_t address) { return *reinterpret_cast<const std::uintptr_t*>(address); };

    const std::uintptr_t known = rule.from == base::stack ? function.stack : function.frame;
    if (rule.from == base::none || known == 0) return {};
    if (rule.from == base::frame_record) {
        if (at(known) - known > largest_frame) return {at(known + sizeof(known)), 0, 0};
        return {at(known + sizeof(known)), at(known), 0};
    }
    const std::uintptr_t outer = known + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(rule.offset));
    const auto saved = [&](std::int32_t where) {
        return at(outer + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(where)));
    };
    if (outer - known > largest_frame || outer <= function.stack) return {};
    return {saved(rule.saved_return), rule.saves_frame ? saved(rule.saved_frame) : function.frame, outer};
}

/// The rule for a function that resumes at this address. Code on trial without unwind tables is assumed to have frame
/// pointers.
[[nodiscard]] unwind_rule rule_for(std::uintptr_t return_address);

}  // namespace ordeal::detail
