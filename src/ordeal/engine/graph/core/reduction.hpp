// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/run_context.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

class execution_runner;

/// The running thread has come to an operation that reads an atomic. At reduction::at_operation() it is the newest of
/// the thread's visits.
struct operation_point {
    const caller_state& caller;
    std::span<const std::uint64_t> given;  ///< operands of the operation, which may stand in registers alone
    /// The newest visit with the same state, which the thread has come back to; null: none, or speculation about a weak
    /// operation.
    const thread_fingerprint* earlier;
};

/// The running thread begins an iteration of a loop in the state in which it began an earlier one, and has done nothing
/// since that others could observe.
struct iteration_point {
    const thread_fingerprint& earlier;
    const thread_fingerprint& now;
    event_index same_since;  ///< the state has been the same at each of its iterations since
};

/// The running thread begins a wait on a condition variable or a futex.
struct wait_point {
    const caller_state& caller;
    std::uintptr_t condition;
    site_id site;
    const wait_timeout& limit;
    bool releases_mutex;  ///< it is on a condition variable
};

/// How the running thread is blocked.
struct blocking {
    block_reason why;
    std::optional<event_index> iteration_begin{};  ///< the event of the thread with which its last iteration began
    bool touches_first = false;  ///< in that iteration it has made accesses that it had not made before
};

/// A part of a search that leaves executions out which cannot differ from one that is explored, and decides at
/// operations. The core calls it through this interface alone; it stands in a folder of its own, with its argument and
/// its source, and a search without it is sound and explores more. Each function has a default that leaves nothing out.
/// What a reduction notes in events and threads, such as read_data::retry, is copied with those.
class reduction {
public:
    /// What becomes of the running thread at an operation.
    enum class action : std::uint8_t {
        goes_on,
        blocks,    ///< it adds no more events in this run, for a reason that is given
        abandons,  ///< nothing that comes of this graph is needed, or it is run again: see answers_by_probes()
    };

    reduction() = default;
    reduction(const reduction&) = delete;
    reduction& operator=(const reduction&) = delete;
    virtual ~reduction() = default;

    /// Before each run.
    virtual void begin() noexcept {}
    /// Whether the runs from now on are those of a search. In replays and probe runs no graph is abandoned.
    void enable(bool whether) noexcept { enabled_ = whether; }
    /// From now on the code is run in another way: what was found out by earlier runs is forgotten.
    virtual void forget() noexcept {}

    [[nodiscard]] virtual action at_operation(const operation_point& /*at*/, blocking& /*blocking*/) {
        return action::goes_on;
    }
    [[nodiscard]] virtual action at_iteration(const iteration_point& /*at*/, blocking& /*blocking*/) {
        return action::goes_on;
    }
    /// The running thread begins an iteration of a loop, and has waited since it began the one before.
    [[nodiscard]] virtual action after_wait(const iteration_start& /*earlier*/, const iteration_start& /*now*/,
                                            blocking& /*blocking*/) {
        return action::goes_on;
    }
    /// The running thread is about to be blocked. Whether the graph is abandoned.
    [[nodiscard]] virtual bool abandons_blocked(const blocking& /*blocking*/) { return false; }
    /// A run of this graph was abandoned. Whether that was for a question which this reduction has now answered by
    /// probe runs: then the graph is run again.
    [[nodiscard]] virtual bool answers_by_probes(execution_runner& /*runner*/, const execution_graph& /*abandoned*/) {
        return false;
    }
    /// Whether the wait may as well not have ended before: the iteration since it began then.
    [[nodiscard]] virtual std::optional<iteration> at_wait(const wait_point& /*at*/) { return std::nullopt; }

    /// Whether this reduction finds out which spurious failures make a difference. Without one, all are explored.
    [[nodiscard]] virtual bool selects_spurious_failures() const noexcept { return false; }
    /// The running thread stands at a weak operation. Whether it fails spuriously now, in speculation.
    [[nodiscard]] virtual bool fails_speculatively(const operation_point& /*at*/, site_id /*site*/) { return false; }
    /// The thread has come to a weak operation after such a failure. If it stands where it failed, in the same state,
    /// it goes on as if it had not failed; otherwise the run is given up, and the failure is explored.
    virtual void end_speculation(const operation_point& /*at*/, site_id /*site*/) {}

protected:
    [[nodiscard]] bool enabled() const noexcept { return enabled_; }

private:
    bool enabled_ = false;
};

/// Those of a search, in the order in which they decide.
class reduction_list {
public:
    void add(std::unique_ptr<reduction> what) {
        selects_spurious_failures_ |= what->selects_spurious_failures();
        all_.push_back(std::move(what));
    }
    [[nodiscard]] bool selects_spurious_failures() const noexcept { return selects_spurious_failures_; }

    void begin_run() const noexcept {
        for (const auto& each : all_) each->begin();
    }
    void enable(bool whether) const noexcept {
        for (const auto& each : all_) each->enable(whether);
    }
    void forget() const noexcept {
        for (const auto& each : all_) each->forget();
    }
    /// The decision of the first that does not let the thread go on.
    [[nodiscard]] reduction::action at_operation(const operation_point& at, blocking& blocking) const {
        return first_action([&](reduction& each) { return each.at_operation(at, blocking); });
    }
    [[nodiscard]] reduction::action at_iteration(const iteration_point& at, blocking& blocking) const {
        return first_action([&](reduction& each) { return each.at_iteration(at, blocking); });
    }
    [[nodiscard]] bool fails_speculatively(const operation_point& at, site_id site) const {
        return std::ranges::any_of(all_, [&](const auto& each) { return each->fails_speculatively(at, site); });
    }
    void end_speculation(const operation_point& at, site_id site) const {
        for (const auto& each : all_) each->end_speculation(at, site);
    }
    [[nodiscard]] bool abandons_blocked(const blocking& blocking) const {
        return std::ranges::any_of(all_, [&](const auto& each) { return each->abandons_blocked(blocking); });
    }
    [[nodiscard]] reduction::action after_wait(const iteration_start& earlier, const iteration_start& now,
                                               blocking& blocking) const {
        return first_action([&](reduction& each) { return each.after_wait(earlier, now, blocking); });
    }
    [[nodiscard]] std::optional<iteration> at_wait(const wait_point& at) const {
        for (const auto& each : all_) {
            if (const auto idle = each->at_wait(at)) return idle;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool answers_by_probes(execution_runner& runner, const execution_graph& abandoned) const {
        return std::ranges::any_of(all_, [&](const auto& each) { return each->answers_by_probes(runner, abandoned); });
    }

private:
    template <class Ask>
    [[nodiscard]] reduction::action first_action(Ask ask) const {
        for (const auto& each : all_) {
            if (const reduction::action found = ask(*each); found != reduction::action::goes_on) return found;
        }
        return reduction::action::goes_on;
    }

    std::vector<std::unique_ptr<reduction>> all_;
    bool selects_spurious_failures_ = false;
};

/// Those that the options of the search ask for, and that are in this program: all_reductions.cpp has the list.
[[nodiscard]] reduction_list make_reductions(const run_context& of);

}  // namespace ordeal::detail::graph
