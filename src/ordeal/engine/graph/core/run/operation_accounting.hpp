// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/facts/site_coverage.hpp"
#include "ordeal/engine/graph/core/run/run_end.hpp"
#include "ordeal/engine/graph/core/run/stack_limits.hpp"
#include "ordeal/engine/graph/core/state/execution_options.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <algorithm>
#include <cstdint>

namespace ordeal::detail::graph {

/// The beginning of every operation: counts steps, and records effects that others may observe.
class operation_accounting {
public:
    operation_accounting(const execution_options& options, run_state& run, run_end& run_end, site_coverage& coverage,
                         stack_limits& limits, search_facts& search_facts)
        : options_(options),
          run_(run),
          run_end_(run_end),
          site_coverage_(coverage),
          stack_limits_(limits),
          search_facts_(search_facts) {}

    /// An operation that no other thread can observe.
    void enter() {
        if (run_.self().speculated.active) [[unlikely]]
            run_end_.give_up_speculation();
    }
    /// Acquiring a lock is not progress, as the thread may go on to do nothing; a write is.
    void locking() {
        enter();
        thread_state& me = run_.self();
        me.loop_visits.clear();
        ++me.done.locks;
    }
    /// An operation that other threads may observe, and that a later one may undo: an atomic is given another value, a
    /// block is allocated.
    void undoable_effect() {
        note_effect();
        ++run_.self().done.undoable;
    }
    /// An operation that other threads may observe.
    void effect() {
        note_effect();
        run_.self().leave_iterations();
    }

    /// Counts an operation at this site.
    void step(site_id site) {
        site_coverage_.reach(site);
        ++total_steps_;
        ++run_.step;
        ++run_.operations;
        ++run_.self().operations;
        if (run_.before_others) ++run_.operations_alone;
        if (run_.operations - run_.operations_alone > options_.step_limit ||
            run_.operations_alone > times_alone * options_.step_limit || run_.graph->is_full()) [[unlikely]]
            end_too_long(site);
        const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        if (detail::is_outside_usable_stack(frame)) [[unlikely]]
            stack_limits_.require(frame, site);
    }
    /// Called when a function on trial is entered or resumed beyond its usable stack.
    void require_room(std::uintptr_t frame, site_id site) { stack_limits_.require(frame, site); }
    /// A non-atomic access, which is no step.
    void count_access() noexcept { ++total_steps_; }

    /// Steps and non-atomic accesses of all runs.
    [[nodiscard]] std::uint64_t total_steps() const noexcept { return total_steps_; }
    /// Steps and non-atomic accesses of this run, those before the snapshot from which it went on included.
    [[nodiscard]] std::uint64_t steps_of_run() const noexcept { return total_steps_ - steps_before_; }
    void begin() noexcept { steps_before_ = total_steps_; }
    void set_steps_of_run(std::uint64_t count) noexcept {
        begin();
        total_steps_ += count;
    }
    /// Whether this run is so long that each further step counts.
    [[nodiscard]] bool is_long() const noexcept {
        return run_.executed > std::min(options_.step_limit, default_length) / 2;
    }

private:
    /// Operations of the only thread are no events: that many more of them are followed.
    static constexpr unsigned times_alone = 100;

    void note_effect() {
        locking();
        thread_state& me = run_.self();
        me.yields = me.time_outs = 0;
        ++me.done.effects;
    }
    [[noreturn, gnu::cold]] void end_too_long(site_id site);

    const execution_options& options_;
    run_state& run_;
    run_end& run_end_;
    site_coverage& site_coverage_;
    stack_limits& stack_limits_;
    search_facts& search_facts_;
    std::uint64_t total_steps_ = 0;
    std::uint64_t steps_before_ = 0;  ///< of earlier runs
};

}  // namespace ordeal::detail::graph
