// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/liveness/woken_waits.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace ordeal::detail::graph {

/// Liveness: what a state means in which no thread can proceed.
class liveness {
public:
    /// `most_accesses`: non-atomic accesses after which a thread counts as endless.
    liveness(const run_state& run, std::uint64_t most_accesses) : run_(run), most_accesses_(most_accesses) {}

    /// Whether a blocked thread stays blocked, whatever the other blocked threads do.
    [[nodiscard]] bool blocked_forever(const thread_state& waiter) const;
    /// Whether a thread in a loop stores to an atomic what another one stores something else to in each iteration: then
    /// no graph is how the program stays.
    [[nodiscard]] bool two_overwrite_each_other() const;
    /// Whether all blocked threads stay blocked.
    [[nodiscard]] bool all_blocked_forever() const;
    /// Whether some thread is blocked for that reason.
    template <class Reason>
    [[nodiscard]] bool some_blocked_as() const noexcept {
        return std::ranges::any_of(run_.threads,
                                   [](const thread_state& each) { return each.blocked_as<Reason>() != nullptr; });
    }
    /// Whether some thread loops until a clock advances, which it does not.
    [[nodiscard]] bool waits_for_clock() const;

    /// What a thread is doing that is blocked for ever; nothing for one that has finished.
    [[nodiscard]] std::optional<stuck_thread> stuck(int thread_id) const;

    [[nodiscard]] violation_kind kind() const;
    [[nodiscard]] std::string message() const;

private:
    [[nodiscard]] bool reads_co_max(event_id read) const;
    [[nodiscard]] bool enables_lock_waiter(const thread_state& looping, event_index iteration_begin) const;
    [[nodiscard]] bool notified(const thread_state& waiter, location condition) const;
    [[nodiscard]] bool is_effect_free(const event& made, bool to_taker) const;
    [[nodiscard]] bool saw_another_value_than_co_max(const event& read, event_index iteration_begin) const;
    [[nodiscard]] bool saw_co_max(const thread_state& waiter, event_index iteration_begin, location besides) const;

    const run_state& run_;
    std::uint64_t most_accesses_;
    woken_waits woken_waits_{run_};
};

}  // namespace ordeal::detail::graph
