// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::tests {

using namespace detail;

/// One run of the program ordeal_trial.
struct trial_order {
    std::string scenario;
    std::uint64_t seed = 1;
    std::uint64_t samples = 20'000;  ///< at most
    double seconds = 2;              ///< at most; one row of objects is always run
    std::vector<order_override> overrides;
    double hard_limit = 30;       ///< seconds after which it is killed
    unsigned lost_blocks = 0;     ///< a control for checks for leaks
    bool stop_at_report = false;  ///< ThreadSanitizer ends it at its first report
};

struct trial_outcome {
    std::optional<search_result> result;  ///< none: it crashed, or was ended by a sanitizer or the hard limit
    std::string reports;                  ///< what the sanitizers wrote
    std::string output;                   ///< standard output and error
    bool out_of_time = false;
    int status = 0;  ///< as waitpid gives it

    /// One paragraph for a test that fails, with the seed.
    [[nodiscard]] std::string describe(const trial_order& order) const;
};

/// Runs it and waits. Options of sanitizers in the environment are replaced: reports go to a file of this run's own, no
/// suppressions.
[[nodiscard]] trial_outcome run_trial(const trial_order& order);

}  // namespace ordeal::tests
