// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/facts/acceptances.hpp"
#include "ordeal/engine/graph/core/facts/search_facts.hpp"
#include "ordeal/engine/graph/core/facts/trace_recorder.hpp"
#include "ordeal/engine/graph/core/run/fibers.hpp"
#include "ordeal/engine/graph/core/run/strategy.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal::detail::graph {

/// How a run ended.
enum class ending : std::uint8_t {
    complete,
    blocked,    ///< some thread waits for a write that another graph has
    abandoned,  ///< the graph is inconsistent, or explored elsewhere
    violated,
    refused,  ///< the code on trial uses something that this model lacks
};

struct violation {
    violation_kind kind;
    std::string message;
};

/// What a violation is about.
struct at_fault {
    memory_range where{};          ///< the bytes; of size 0: none
    std::string_view words{};      ///< with which the message names them, if it begins so: "a mutex"
    std::string_view called{};     ///< "atomic 2"; empty: no object of the model
    std::string_view operation{};  ///< "free"; empty: as the site names it
    calling_function code{};       ///< that a signal has met; empty: none
};

/// The ways in which a run ends before all of its threads finish. A [[noreturn]] function abandons the running thread's
/// fiber.
class run_end {
public:
    run_end(run_state& run, fibers& fibers, recorder& recorder, search_facts& search_facts, acceptances& acceptances)
        : run_(run), fibers_(fibers), recorder_(recorder), search_facts_(search_facts), accepted_(acceptances) {}

    void begin() noexcept;
    /// After the run, however it ended: no code on trial runs any more.
    void leave() noexcept;

    /// Where the violation is accepted, only the running thread ends (or construction, or finish()): the other threads
    /// continue, as their writes revisit reads of this one.
    [[noreturn]] void fail(violation_kind kind, std::string_view message, site_id site, const at_fault& about = {});
    /// Whether the violation is accepted and what follows it is sufficiently defined: the thread continues.
    [[nodiscard]] bool continues_after(violation_kind kind, site_id site);
    /// "atomic 2 is destroyed twice"
    [[noreturn]] void fail_about(const object& what, violation_kind kind, std::string_view happened, site_id site,
                                 std::string_view operation = {});
    /// A livelock: more of something than any execution has that terminates.
    [[noreturn]] void fail_too_long(std::uint64_t limit, const char* of_what, site_id site);
    /// Replay divergence: the thread does something else than the graph has.
    [[noreturn]] void diverge(std::string_view how, site_id site);
    /// The code on trial uses something that this model lacks.
    [[noreturn]] void refuse(std::string_view what, site_id site);
    /// Such memory has a different address in each execution.
    [[noreturn]] void refuse_unknown_memory(site_id site) {
        refuse("an atomic in memory that was allocated by a library that is not on trial", site);
    }
    /// The execution is of no interest: the running thread is blocked for good. The others continue, as their writes
    /// revisit reads of this one.
    [[noreturn]] void end_by_assumption(site_id site);
    /// The graph is inconsistent, or explored elsewhere.
    [[noreturn]] void abandon();
    /// The order of arrivals at a barrier or a latch may be seen: the search begins again with that order.
    [[noreturn]] void order_arrivals();
    /// The code on trial does what may depend on the order of critical sections. If the search has elided locks, it
    /// begins again with that order. See lock_elision.
    void need_locks();
    void elide_lock();
    /// Atomics of different sizes share these bytes: the search begins again with them as one object.
    [[noreturn]] void learn_mixed_sizes(memory_range all);
    void note_part_access(site_id site);
    /// The spurious failure leads to another state, so it is a choice of its own; this run is beyond the point at which
    /// it could continue.
    [[noreturn]] void give_up_speculation();
    /// The running thread has finished, or does not continue.
    [[noreturn]] void leave_fiber();

    // While no thread runs, so that none of these leaves a fiber.
    /// Returns whether the execution was concluded with the violation: not if it is accepted.
    [[nodiscard]] bool conclude(violation_kind kind, std::string_view message);
    void abandon_run() noexcept { abandoned_ = true; }
    void refuse_run(std::string_view what, site_id site);
    void note_limit(std::string_view what, site_id site);

    [[nodiscard]] const std::optional<violation>& found() const noexcept { return found_; }
    /// Whether runs of one graph may differ because of accepted violations.
    [[nodiscard]] bool may_differ() const noexcept { return ended_at_accepted_ || accepted_.some_race(); }
    /// Whether a thread, construction or finish() ended at an accepted violation.
    [[nodiscard]] bool ended_at_accepted() const noexcept { return ended_at_accepted_; }
    [[nodiscard]] bool abandoned() const noexcept { return abandoned_; }
    [[nodiscard]] bool refused() const noexcept { return !search_facts_.refused.empty(); }
    /// Whether construction or finish() has ended at an assumption that does not hold.
    [[nodiscard]] bool ended_by_assumption() const noexcept { return ended_by_assumption_; }
    /// Whether the run has ended, in any of these ways.
    [[nodiscard]] bool is_over() const noexcept {
        return found().has_value() || refused() || abandoned_ || ended_at_accepted_ || ended_by_assumption_;
    }
    /// Whether there was a violation after a future read and before the write that it reads from. The execution is one
    /// if all of its graph can be run; then it is run again.
    [[nodiscard]] bool has_put_off() const noexcept { return put_off_; }
    void judge_put_off(bool is_execution);
    /// Whether such violations are put off. Otherwise they end the run: its graph is known to be an execution.
    bool puts_off_violations = false;

    /// What runs of a graph with future reads have found out about it.
    struct future_read_findings {
        bool diverged = false;       ///< what follows from a future read could not be found out
        bool violated = false;       ///< a violation was put off, and the graph is an execution
        bool value_changed = false;  ///< a future read has to be run with another value
    };
    future_read_findings of_future_read_graph;

    /// Whether fail() is in progress: faults during it are not those of the code on trial.
    [[nodiscard]] bool failing() const noexcept { return failing_; }

private:
    [[noreturn]] void end_at_accepted();
    [[noreturn]] void put_off(violation_kind kind);
    [[nodiscard]] bool is_before_future_source() const noexcept;
    /// Of a graph with future reads it is not known yet whether it is consistent.
    [[nodiscard]] bool may_be_no_execution() const noexcept;
    void show_future_sources();
    [[noreturn]] void end_thread(const block_reason& why);

    run_state& run_;
    fibers& fibers_;
    recorder& recorder_;
    search_facts& search_facts_;
    acceptances& accepted_;
    std::optional<violation> found_;
    bool failing_ = false;
    bool abandoned_ = false;
    bool ended_at_accepted_ = false;
    bool ended_by_assumption_ = false;
    bool put_off_ = false;
    bool put_off_undefined_ = false;  ///< one of these is undefined behaviour, and no race
};

}  // namespace ordeal::detail::graph
