// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/stack_walk.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <unordered_map>

namespace ordeal::detail {

unwind_rule rule_for(std::uintptr_t return_address) {
    const harness_scope harness;
    static auto& known =
        *new std::unordered_map<std::uintptr_t, unwind_rule>;  // never destroyed: exit handlers may ask
    if (const auto found = known.find(return_address); found != known.end()) return found->second;
    unwind_rule rule = unwind_rule_at(return_address - 1);
    if (rule.from == unwind_rule::base::none && is_trial_code(return_address)) {
        rule.from = unwind_rule::base::frame_record;
    }
    return known.emplace(return_address, rule).first->second;
}

}  // namespace ordeal::detail
