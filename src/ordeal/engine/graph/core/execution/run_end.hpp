// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/fibers.hpp"
#include "ordeal/engine/graph/core/execution/strategy.hpp"
#include "ordeal/engine/graph/core/findings/acceptances.hpp"
#include "ordeal/engine/graph/core/findings/findings.hpp"
#include "ordeal/engine/graph/core/findings/trace_recorder.hpp"
#include "ordeal/engine/graph/core/state/execution_state.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal::graph {

/// How a run ended.
enum class ending : std::uint8_t {
    complete,
    blocked,    ///< some thread waits for what another graph has
    abandoned,  ///< the graph is not an execution, or is explored elsewhere
    violated,
    refused,  ///< the code on trial uses what this model does not have
};

struct violation {
    violation_kind kind;
    std::string message;
};

/// The bytes that a violation is about; of size 0: none.
struct at_fault {
    memory_range where{};
    std::string_view called{};     ///< "atomic 2"; empty: they are no object of the model
    std::string_view operation{};  ///< "free"; empty: what the site has
};

/// The ways in which the code on trial ends a run before all of its threads are over. What does not return leaves the fiber
/// of the running thread as it is.
class run_end {
public:
    run_end(execution_state& run, fibers& fibers, recorder& recorder, findings& findings, acceptances& acceptances)
        : run_(run), fibers_(fibers), recorder_(recorder), findings_(findings), accepted_(acceptances) {}

    void begin(strategy& how) noexcept;
    /// After the run, whatever its end: no code on trial runs any more.
    void leave() noexcept;

    /// Where such a violation is accepted, only the running thread ends, or the construction or finish() that it is part of:
    /// what other threads do goes on, for they revisit what this one has read.
    [[noreturn]] void fail(violation_kind kind, std::string_view message, site_id site, const at_fault& about = {});
    /// Whether the violation is accepted and what comes after it is known well enough: the thread goes on.
    [[nodiscard]] bool goes_on_behind(violation_kind kind, site_id site) { return accepted_.cover(kind, site); }
    /// "atomic 2 is destroyed twice"
    [[noreturn]] void fail_about(const object& what, violation_kind kind, std::string_view happened, site_id site,
                                 std::string_view operation = {});
    /// A livelock: more of something than any execution has that ends.
    [[noreturn]] void fail_too_long(std::uint64_t limit, const char* of_what, site_id site);
    /// The thread does something else than the graph has.
    [[noreturn]] void diverge(std::string_view how, site_id site);
    /// The code on trial uses what this model does not have.
    [[noreturn]] void refuse(std::string_view what, site_id site);
    /// Such memory is at another address in each execution.
    [[noreturn]] void refuse_unknown_memory(site_id site) {
        refuse("an atomic in memory that was allocated by a library that is not on trial", site);
    }
    /// The graph is not an execution, or is explored elsewhere.
    [[noreturn]] void abandon();
    /// The spurious failure that is tried out leads to another state, so it is an alternative of its own; this run has gone
    /// too far to go on.
    [[noreturn]] void give_up_speculation();
    /// The running thread is over, or does not go on.
    [[noreturn]] void leave_fiber();

    // Found out while no thread runs.
    /// Not where it is accepted; returns whether it was concluded.
    [[nodiscard]] bool conclude(violation_kind kind, std::string_view message);
    void drop() noexcept { abandoned_ = true; }
    void give_up(std::string_view what);
    void note_limit(std::string_view what, site_id site);

    [[nodiscard]] const std::optional<violation>& found() const noexcept { return found_; }
    /// Whether runs of one graph may differ, because of what is accepted.
    [[nodiscard]] bool may_differ() const noexcept { return ended_at_accepted_ || accepted_.some_race(); }
    /// Whether a thread, or what runs alone, has ended at a violation that is accepted.
    [[nodiscard]] bool ended_at_accepted() const noexcept { return ended_at_accepted_; }
    [[nodiscard]] bool abandoned() const noexcept { return abandoned_; }
    [[nodiscard]] bool refused() const noexcept { return !findings_.refused.empty(); }
    /// Whether fail() is at work: what goes wrong in it is not the code on trial's fault.
    [[nodiscard]] bool failing() const noexcept { return failing_; }

private:
    [[noreturn]] void end_at_accepted();

    execution_state& run_;
    fibers& fibers_;
    recorder& recorder_;
    findings& findings_;
    acceptances& accepted_;
    strategy* strategy_ = nullptr;
    std::optional<violation> found_;
    bool failing_ = false;
    bool abandoned_ = false;
    bool ended_at_accepted_ = false;
};

}  // namespace ordeal::graph
