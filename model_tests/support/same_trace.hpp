// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"

#include <algorithm>
#include <tuple>

namespace ordeal::model_tests {

using namespace detail;

/// Whether two traces are equal in every field.
[[nodiscard]] inline bool same_trace(const trace& left, const trace& right) {
    const auto fields = [](const trace_step& step) {
        return std::tie(step.index, step.thread, step.operation, step.where.key, step.where.function, step.object,
                        step.using_order, step.overridden, step.before, step.after, step.reads_from, step.stale,
                        step.clock, step.note);
    };
    return std::ranges::equal(left, right,
                              [&](const trace_step& a, const trace_step& b) { return fields(a) == fields(b); });
}

}  // namespace ordeal::model_tests
