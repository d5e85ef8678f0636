// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace ordeal::model_tests {

/// How an execution of a program with loops ended: what the registers and the atomics hold. Where threads stopped in a loop,
/// each at the instruction of that number in `stopped`, from 1, it is "stopped" when one of them would go on with the last
/// values, "livelock" when none would.
template <class Program, class Registers, class Stopped, class Values, class EndedBy>
[[nodiscard]] std::string loop_outcome(const Program& what, const Registers& registers, const Stopped& stopped,
                                       const Values& last, EndedBy ended_by) {
    std::string text;
    for (const auto& each : registers) text += fmt::format("{}|", fmt::join(each, ","));
    text += fmt::format("{}", fmt::join(last, ","));
    bool some = false;
    for (std::size_t thread = 0; thread < what.size(); ++thread) {
        if (stopped[thread] == 0) continue;
        some = true;
        if (ended_by(what[thread][stopped[thread] - 1], last)) return "stopped";
    }
    return some ? "livelock" : text;
}

}  // namespace ordeal::model_tests
