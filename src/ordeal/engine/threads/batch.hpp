// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/violation.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace ordeal::detail {

struct batch_options {
    std::uint64_t seed = 1;
    double seconds = 1;         ///< how long; 0: until `samples` or stopped
    std::uint64_t samples = 0;  ///< how many objects at least; 0: as many as the time allows
    std::size_t row = 256;      ///< objects built at a time
    bool pin = true;            ///< threads on different processors, where the machine allows it
    double hang_timeout = 10;   ///< seconds without progress that count as a hang
};

struct batch_result {
    std::uint64_t samples = 0;
    std::map<std::string, std::uint64_t> outcomes;
    std::uint64_t faults_injected = 0;   ///< allocations that the scenario made fail
    std::uint64_t faults_survived = 0;   ///< those before the end of the last row without a violation
    std::optional<violation_kind> kind;  ///< of the first violation
    std::string message;                 ///< of the violation, or why nothing ran
    bool ran = false;
    bool stopped = false;  ///< by the callback
};

/// Called a few times per second with the number of samples so far; returning true requests a stop.
using batch_progress = std::function<bool(std::uint64_t samples)>;

/// Runs a scenario on real threads repeatedly: the threads go through rows of fresh objects together, meeting at each
/// object, so that starting threads does not dominate. Delays are drawn from the seed (jitter_policy).
///
/// After a violation threads of the code on trial may still be running or blocked: the process should end. One call at
/// a time in a process.
[[nodiscard]] batch_result run_on_threads(const scenario& what, const batch_options& how,
                                          const batch_progress& on_progress);

}  // namespace ordeal::detail
