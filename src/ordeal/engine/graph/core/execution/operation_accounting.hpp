// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/run_end.hpp"
#include "ordeal/engine/graph/core/execution/stack_limits.hpp"
#include "ordeal/engine/graph/core/findings/site_coverage.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

namespace ordeal::graph {

/// What each operation begins with: it says what it does to others, and is counted.
class operation_accounting {
public:
    struct options {
        unsigned step_limit = 10'000;
        bool instrumented = false;
    };

    operation_accounting(const options& how, execution_state& run, run_end& run_end, site_coverage& coverage,
                         stack_limits& limits, findings& findings)
        : options_(how),
          run_(run),
          run_end_(run_end),
          site_coverage_(coverage),
          stack_limits_(limits),
          findings_(findings) {}

    /// An operation that no other thread could see.
    void enter() {
        if (run_.self().speculated.active) [[unlikely]]
            run_end_.give_up_speculation();
    }
    /// A lock may be taken for a look that comes to nothing, so it does not count as progress; what is written does.
    void locking() {
        thread_state& me = run_.self();
        if (me.speculated.active) [[unlikely]]
            run_end_.give_up_speculation();
        me.loop_visits.clear();
        ++me.done.locks;
    }
    /// An operation that other threads may see.
    void effect() {
        locking();
        thread_state& me = run_.self();
        me.yields = me.time_outs = 0;
        ++me.done.effects;
    }

    /// An operation is made now, at this site.
    void step(site_id site) {
        site_coverage_.reach(site);
        ++total_steps_;
        ++run_.step;
        if (++run_.operations > options_.step_limit) [[unlikely]]
            end_too_long(site);
        const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        if (detail::is_outside_usable_stack(frame)) [[unlikely]]
            stack_limits_.require(frame, site);
    }
    /// A function on trial begins, or goes on, beyond what it may use of its stack.
    void require_room(std::uintptr_t frame, site_id site) { stack_limits_.require(frame, site); }
    /// A plain access, which is no step.
    void count_access() noexcept { ++total_steps_; }

    /// Steps and plain accesses of all runs.
    [[nodiscard]] std::uint64_t total_steps() const noexcept { return total_steps_; }
    /// The same of this run; a run that goes on from a copy has made those before it.
    [[nodiscard]] std::uint64_t steps_of_run() const noexcept { return total_steps_ - steps_before_; }
    void begin() noexcept { steps_before_ = total_steps_; }
    void set_steps_of_run(std::uint64_t count) noexcept {
        begin();
        total_steps_ += count;
    }
    /// Of this run, whether it has gone so far that each further step counts.
    [[nodiscard]] bool is_long() const noexcept { return run_.executed > options_.step_limit / 2; }

private:
    [[noreturn, gnu::cold]] void end_too_long(site_id site);

    options options_;
    execution_state& run_;
    run_end& run_end_;
    site_coverage& site_coverage_;
    stack_limits& stack_limits_;
    findings& findings_;
    std::uint64_t total_steps_ = 0;
    std::uint64_t steps_before_ = 0;  ///< of the runs before this one
};

}  // namespace ordeal::graph
