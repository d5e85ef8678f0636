// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/run_end.hpp"
#include "ordeal/engine/graph/execution/site_marks.hpp"
#include "ordeal/engine/graph/execution/stack_room.hpp"
#include "ordeal/model/byte_memory.hpp"

#include <cstdint>

namespace ordeal::graph {

/// What each operation begins with: it says what it does to others, and is counted.
class prologue {
public:
    struct options {
        unsigned step_limit = 10'000;
        bool instrumented = false;
    };

    prologue(const options& how, execution_state& run, run_end& end, site_marks& marks, stack_room& room, findings& met)
        : options_(how), run_(run), end_(end), marks_(marks), room_(room), met_(met) {}

    /// An operation that no other thread could see.
    void enter() {
        if (run_.self().speculated.active) [[unlikely]]
            end_.give_up_speculation();
    }
    /// A lock may be taken for a look that comes to nothing, so it does not count as progress; what is written does.
    void locking() {
        thread_state& me = run_.self();
        if (me.speculated.active) [[unlikely]]
            end_.give_up_speculation();
        me.looks.clear();
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
        marks_.reach(site);
        ++total_steps_;
        ++run_.step;
        if (++run_.operations > options_.step_limit) [[unlikely]]
            end_too_long(site);
        const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        if (detail::beyond_usable_stack(frame)) [[unlikely]]
            room_.require(frame, site);
    }
    /// A function on trial begins, or goes on, beyond what it may use of its stack.
    void require_room(std::uintptr_t frame, site_id site) { room_.require(frame, site); }
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
    run_end& end_;
    site_marks& marks_;
    stack_room& room_;
    findings& met_;
    std::uint64_t total_steps_ = 0;
    std::uint64_t steps_before_ = 0;  ///< of the runs before this one
};

}  // namespace ordeal::graph
