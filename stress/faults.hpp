// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/memory/allocation.hpp"
#include "ordeal/scenario/faults.hpp"

#include <catch2/catch.hpp>

#include <coroutine>
#include <cstdint>
#include <new>
#include <utility>

namespace ordeal::stress_tests {

using namespace detail;

/// Where a coroutine stops until open() resumes it, on the thread that calls it.
class gate {
public:
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> awaiting) noexcept { waiting_ = awaiting; }
    void await_resume() const noexcept {}

    /// Does nothing when nobody waits.
    void open() {
        if (waiting_) std::exchange(waiting_, nullptr).resume();
    }

private:
    std::coroutine_handle<> waiting_;
};

/// What became of a program during which an allocation was made to fail.
struct attempt {
    bool fired = false;       ///< there were that many allocations
    bool thrown = false;      ///< std::bad_alloc left the program
    int lost = 0;             ///< coroutines that never went on, as the program counts them
    std::int64_t leaked = 0;  ///< blocks
};

/// Runs the program with its n-th allocation failing. It calls arm() where the faults may begin; threads of its own
/// must be counted too.
template <class Program>
attempt run_with_fault(unsigned n, Program program) {
    count_allocations_of_this_thread();
    attempt result;
    const std::uint64_t faults = injected_faults();
    const std::int64_t live = counted_live_blocks();
    try {
        program([n] { fail_allocation(n); }, result.lost);
    } catch (const std::bad_alloc&) {
        result.thrown = true;
    }
    fail_allocation(0);
    result.leaked = counted_live_blocks() - live;
    result.fired = injected_faults() != faults;
    return result;
}

/// Fails every allocation of the program in turn, and returns how many there are. `leaves` says whether each failure
/// must leave the program as std::bad_alloc; else the program deals with it.
template <class Program>
unsigned fail_each_allocation(Program program, bool leaves) {
    for (unsigned n = 1;; ++n) {
        const attempt result = run_with_fault(n, program);
        CAPTURE(n);
        CHECK(result.leaked == 0);
        CHECK(result.lost == 0);
        CHECK(result.thrown == (result.fired && leaves));
        if (!result.fired) return n - 1;
        REQUIRE(n < 100);
    }
}

}  // namespace ordeal::stress_tests
