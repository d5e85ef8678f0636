// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::detail::graph {

class execution_runner;

/// A search that makes runs beyond those that its verdict needs makes no more than these.
inline constexpr std::uint64_t most_further_runs = 5'000;

/// As how many runs one run counts. Its time grows with the square of its operations, and with its non-atomic accesses:
/// one of 10,000 operations, or of 20,000,000 accesses, takes longer than 5,000 short ones.
[[nodiscard]] constexpr std::uint64_t runs_that_count(std::uint64_t operations, std::uint64_t accesses) noexcept {
    constexpr std::uint64_t short_operations = 64;
    constexpr std::uint64_t short_accesses = 4'000;
    const std::uint64_t length = operations / short_operations;
    return 1 + length * length + accesses / short_accesses;
}

/// So many runs, long ones counted as several. No clock has a say, so the same search makes the same runs on any
/// machine.
class run_allowance {
public:
    explicit run_allowance(std::uint64_t most) noexcept : left_(most) {}

    /// After a run that counts as so many; whether there may be another one.
    [[nodiscard]] bool spend(std::uint64_t runs) noexcept {
        const bool goes_on = runs <= left_;
        left_ -= goes_on ? runs : left_;
        return goes_on;
    }

private:
    std::uint64_t left_;
};

/// Measures the runs of a trial, one after the other.
class run_meter {
public:
    explicit run_meter(execution_runner& runs) noexcept;

    /// As how many runs the last one counts; asked after each.
    [[nodiscard]] std::uint64_t last_run() noexcept;

private:
    execution_runner& runner_;
    std::uint64_t steps_before_;
};

}  // namespace ordeal::detail::graph
