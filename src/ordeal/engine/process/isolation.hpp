// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ordeal::detail {

/// One search for a process of its own.
struct search_job {
    const scenario* what = nullptr;
    engine* with = nullptr;
    search_options how;
};

struct isolation_options {
    unsigned jobs = 1;  ///< processes at a time
    /// Seconds after which a process that hangs is killed, and its verdict is a time-out; 0: none. A search that is
    /// late but makes progress (search_progress::heartbeats) is left to finish: a budget is a limit of a verdict.
    double hard_limit = 0;
    bool show_output = false;  ///< output of the code on trial goes to standard error; otherwise it is dropped
};

/// The progress of one search.
struct running_search {
    const search_job* job = nullptr;
    std::uint64_t executions = 0;
    double expected = 0;        ///< executions of the whole search, estimated; 0: not known
    double expected_error = 0;  ///< standard error of the estimate
    double seconds = 0;         ///< since its beginning
    std::uint64_t pairs = 0;    ///< as in search_progress
    std::uint64_t newest_pair_after = 0;
    std::uint64_t portfolio_executions = 0;
};

/// A violation to report early: of code as written, which is not expected to be violated.
struct noticed_violation {
    const search_job* job = nullptr;
    violation_kind kind = violation_kind::data_race;
};

/// The progress of all jobs together, for a progress line.
struct isolation_progress {
    std::size_t finished = 0;
    std::size_t total = 0;
    std::uint64_t executions = 0;              ///< of the finished and the running ones
    std::vector<running_search> running{};     ///< in order of their beginning
    std::optional<noticed_violation> first{};  ///< reported at once; the search may go on for a simpler one
};

/// Processes for each search if there are fewer searches than jobs: see search_resources::jobs.
[[nodiscard]] constexpr unsigned shared_jobs(unsigned jobs, std::size_t searches) noexcept {
    return searches == 0 || searches >= jobs ? 1U : jobs / static_cast<unsigned>(searches);
}

/// Called from time to time; returning true requests a stop: running searches report what they have, the others are not
/// begun.
using progress_callback = std::function<bool(const isolation_progress&)>;
/// Called once for each job that was begun, as it ends; returning true drops all jobs of the same group that have not
/// begun (an audit needs one violation, not all).
using done_callback = std::function<bool(std::size_t job, const search_result& result)>;

/// Runs the jobs in child processes, in the order given, `jobs` at a time. A child that crashes, exits, hangs or ends
/// in any other way also gives a result. `groups[i]` (or none at all) is the group of job i. Returns false if a stop
/// was requested.
bool run_isolated(std::span<const search_job> work, std::span<const std::size_t> groups,
                  const isolation_options& options, const progress_callback& on_progress, const done_callback& on_done);

}  // namespace ordeal::detail
