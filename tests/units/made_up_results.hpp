// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Results as two engines might have them, for the tests of their comparison.

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/relacy/limits.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::made_up {

using namespace detail;

using flag = bool relacy::limits::*;
using outcomes = std::map<std::string, std::uint64_t>;

inline constexpr std::array hiding_limits{
    &relacy::limits::stale_reads,        &relacy::limits::stale_failures,
    &relacy::limits::spurious_failures,  &relacy::limits::release_sequences,
    &relacy::limits::modification_order, &relacy::limits::yields,
    &relacy::limits::try_locks,          &relacy::limits::sequentially_consistent_fences,
};
inline constexpr std::array false_alarm_limits{&relacy::limits::sequential_consistency,
                                               &relacy::limits::unfair_schedule};
inline constexpr flag false_alarm_limit = &relacy::limits::sequential_consistency;

inline std::vector<limit> relacy_says(std::initializer_list<flag> met, bool random = false) {
    relacy::limits limits;
    for (const flag each : met) limits.*each = true;
    return limits.named(random);
}

inline search_result all_held(outcomes counted = {}) {
    search_result result;
    result.verdict = verdict::held;
    result.complete = true;
    result.executions = 4;
    result.outcomes = std::move(counted);
    return result;
}

// Relacy's word for a search to the end; the sentence that holds for every search is among the limits.
inline search_result held_by_relacy(std::initializer_list<flag> met = {}, outcomes counted = {}) {
    search_result result = all_held(std::move(counted));
    result.verdict = verdict::held_within;
    result.limits = relacy_says(met);
    return result;
}

inline search_result violation(violation_kind kind, std::vector<limit> limits = {}) {
    search_result result;
    result.verdict = verdict::violated;
    result.kind = kind;
    result.executions = 3;
    result.limits = std::move(limits);
    return result;
}

inline search_result false_alarm(violation_kind kind) {
    return violation(kind, {relacy_says({false_alarm_limit}).back()});
}

inline search_result cut_short(search_result result) {
    result.complete = false;
    result.limits.insert(result.limits.begin(), "the search was ended after 3 executions");
    return result;
}

inline search_result unclear() {
    search_result result;
    result.message = "the engine cannot do this";
    return result;
}

}  // namespace ordeal::made_up
